#!/bin/sh
# Makes the namespace and its search attributes, where they are not there. Workers then need no operator's right.
set -eu

NAMESPACE=${TEMPORAL_NAMESPACE:-default}
# Ours is the record of what happened: Temporal keeps what has ended for three days, which bounds its disk.
RETENTION=${TEMPORAL_RETENTION:-72h}
ATTRIBUTES='AssistantId WorkspaceId SessionType SessionStatus DeliveryStatus WebhookHost'

until temporal operator namespace describe --namespace "$NAMESPACE" >/dev/null 2>&1; do
  temporal operator namespace create --namespace "$NAMESPACE" --retention "$RETENTION" || sleep 2
done
# A namespace that was just made is not known everywhere at once.
until temporal operator namespace update --namespace "$NAMESPACE" --retention "$RETENTION"; do sleep 2; done

for attribute in $ATTRIBUTES; do
  until temporal operator search-attribute list --namespace "$NAMESPACE" | grep -qw "$attribute"; do
    temporal operator search-attribute create --namespace "$NAMESPACE" --name "$attribute" --type Keyword || sleep 2
  done
done
