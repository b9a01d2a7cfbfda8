import { expect } from 'chai';
import type { Problem } from '../../contract/errors.ts';
import { createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';

describe('A form with a file', () => {
  const api = useTestApi();

  it('is told what is wrong with it also when all of it arrived before anybody looked', async () => {
    const { token } = await createUser();
    const form = new FormData();
    form.set('assistant_id', 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7');
    form.set('audio_file', new Blob(['short']), 'short.wav');
    const response = await fetch(`${api.url}/api/v1/requests/voice`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    });
    const { code, errors } = (await response.json()) as Problem;
    expect(code).to.equal('validation_failed');
    expect(errors).to.deep.equal([{ path: 'assistant_id', message: 'no assistant of yours has this id' }]);
  });
});
