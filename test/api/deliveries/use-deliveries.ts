/** What the tests of deliveries share: a receiver, an assistant with a secret that posts to it, and a first delivery. */
import type { DeliveryDetail } from '../../../contract/sessions/deliveries.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import { send, testConfig } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createUser, says } from '../../support/factories.ts';
import { startReceiver, type Answering, type Receiver } from '../../support/receiver.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

export const SECRET = 'whsec-of-the-consumer';

export function useDeliveries() {
  const service = useSharedService();
  const own = {
    service,
    /** How the receiver answers. */
    answer: undefined as Answering | undefined,
    receiver: undefined as unknown as Receiver,
    token: '',
    workspace_id: '',
    read: async (id: string): Promise<DeliveryDetail> =>
      (await send(service.api, 'getDelivery', { token: own.token, params: { id } })).body,
    newAssistant: async () => {
      const assistant = await createAssistant(own.workspace_id, { webhook_url: `${own.receiver.url}/hook?key=value` });
      const webhook_secret = createSecretBox(testConfig().encryptionKeys).seal(SECRET, assistant.id);
      await assistant.$query().patch({ webhook_secret });
      return assistant;
    },
    /** Returns the first delivery of a new session after its first attempt. */
    deliver: async (answer?: Answering): Promise<DeliveryDetail> => {
      own.answer = answer;
      const { id: assistant_id } = await own.newAssistant();
      const body = { assistant_id, conversation: says('Hello.') };
      const { delivery } = (await send(service.api, 'submitTextRequest', { token: own.token, body })).body;
      const isTried = ({ attempts }: DeliveryDetail) => attempts[0]?.outcome != null;
      return eventually(() => own.read(delivery?.delivery_id ?? ''), isTried);
    },
  };
  beforeEach(async () => {
    own.answer = undefined;
    const answer: Answering = (...exchange) => (own.answer ?? ((response) => void response.end()))(...exchange);
    own.receiver = await stopAfterTest(startReceiver(answer));
    ({ token: own.token, workspaceId: own.workspace_id } = await createUser());
  });
  return own;
}
