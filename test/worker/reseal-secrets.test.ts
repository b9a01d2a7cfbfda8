import { alertOwner, AssistantModel } from '../../db/models/assistant.ts';
import { AudioSourceModel } from '../../db/models/audio-source.ts';
import { resealSecrets } from '../../worker/reseal-secrets.ts';
import { createSecretBox } from '../../runtime/secrets/secrets.ts';
import { testEnvironment } from '../support/api.ts';
import { createAssistant, createOwner, createSession, createUser } from '../support/factories.ts';
import { runCommand } from '../support/run-command.ts';

const [OLD_KEY, NEW_KEY, LOST_KEY] = [31, 32, 33].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];

describe('Re-encrypting the secrets', () => {
  const sealedWith = async (key: Buffer, secret: string) => {
    const { user } = await createUser();
    const { id } = await createAssistant(user.default_workspace_id);
    await AssistantModel.query()
      .findById(id)
      .patch({ webhook_secret: createSecretBox([key]).seal(secret, id) });
    return id;
  };
  const sealedIn = async (id: string) =>
    (await AssistantModel.query().findById(id).throwIfNotFound()).webhook_secret ?? '';
  const reseal = () => resealSecrets(createSecretBox([NEW_KEY, OLD_KEY]), () => undefined);

  it('encrypts all secrets with the newest key, and can be repeated', async () => {
    const [old, current] = [await sealedWith(OLD_KEY, 'one'), await sealedWith(NEW_KEY, 'two')];
    const alerts = ['a', 'b'].map((name) => ({
      name,
      when: ['score:null'],
      url: 'https://example.com/',
      auth: 'both' as const,
      format: 'json' as const,
      secret: createSecretBox([OLD_KEY]).seal(`of ${name}`, alertOwner(old, name)),
    }));
    await AssistantModel.query().findById(old).patch({ alerts });
    const before = await sealedIn(current);
    const session = await createSession((await createOwner()).assistant);
    const sealed = createSecretBox([OLD_KEY]).seal('url', session.id);
    await AudioSourceModel.query().insert({ id: session.id, sealed });
    expect((await reseal()).resealed).to.be.at.least(2);
    const newest = createSecretBox([NEW_KEY]);
    expect(newest.open(await sealedIn(old), old)).to.equal('one');
    const source = await AudioSourceModel.query().findById(session.id).throwIfNotFound();
    expect(newest.open(source.sealed, session.id)).to.equal('url');
    const resealed = await AssistantModel.query().findById(old).throwIfNotFound();
    const opened = resealed.alerts?.map((alert) => ({
      ...alert,
      secret: newest.open(alert.secret ?? '', alertOwner(old, alert.name)),
    }));
    expect(opened).to.deep.equal(alerts.map((alert) => ({ ...alert, secret: `of ${alert.name}` })));
    expect(await sealedIn(current)).to.equal(before);
    expect((await reseal()).resealed).to.equal(0);
  });

  it('is the task of `npm run reseal`', async () => {
    const id = await sealedWith(OLD_KEY, 'one');
    const ENCRYPTION_KEYS = [NEW_KEY, OLD_KEY].map((key) => key.toString('base64')).join();
    const env = testEnvironment({ ENCRYPTION_KEYS }) as Record<string, string>;
    const { output, errors, code } = await runCommand('npm', ['run', '--silent', 'reseal'], env);
    expect({ errors, code }).to.deep.equal({ errors: '', code: 0 });
    expect(output).to.match(/^[1-9]\d* secrets encrypted with the first key$/m);
    expect(createSecretBox([NEW_KEY]).open(await sealedIn(id), id)).to.equal('one');
  });

  it('keeps unreadable secrets, and reports their owners', async () => {
    const id = await sealedWith(LOST_KEY, 'lost');
    const before = await sealedIn(id);
    expect((await reseal()).unreadable).to.include(id);
    expect(await sealedIn(id)).to.equal(before);
  });

  it('does not overwrite a secret that is changed at the same time', async () => {
    const id = await sealedWith(OLD_KEY, 'old');
    const box = createSecretBox([NEW_KEY, OLD_KEY]);
    const fresh = box.seal('fresh', id);
    let isSet: Promise<unknown> = Promise.resolve();
    const racing = {
      ...box,
      seal(plain: string, rowId: string) {
        if (rowId === id) isSet = AssistantModel.query().findById(id).patch({ webhook_secret: fresh }).execute();
        return box.seal(plain, rowId);
      },
    };
    await resealSecrets(racing, () => undefined);
    await isSet;
    expect(box.open(await sealedIn(id), id)).to.equal('fresh');
  });
});
