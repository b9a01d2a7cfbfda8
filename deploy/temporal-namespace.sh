#!/bin/sh
# Creates the namespace and its search attributes if they do not exist. The workers then need no admin permission.
set -eu

NAMESPACE=${TEMPORAL_NAMESPACE:-default}
# The service stores all results itself. Temporal keeps finished workflows for three days, which limits its disk usage.
RETENTION=${TEMPORAL_RETENTION:-72h}
ATTRIBUTES='AssistantId WorkspaceId SessionType SessionStatus DeliveryStatus WebhookHost'

until temporal operator namespace describe --namespace "$NAMESPACE" >/dev/null 2>&1; do
  temporal operator namespace create --namespace "$NAMESPACE" --retention "$RETENTION" || sleep 2
done
# Temporal's services see a new namespace after some seconds.
until temporal operator namespace update --namespace "$NAMESPACE" --retention "$RETENTION"; do sleep 2; done

for attribute in $ATTRIBUTES; do
  until temporal operator search-attribute list --namespace "$NAMESPACE" | grep -qw "$attribute"; do
    temporal operator search-attribute create --namespace "$NAMESPACE" --name "$attribute" --type Keyword || sleep 2
  done
done
