/** The one connection to the API: same origin, so the browser sends the login's cookie by itself and scripts never see it. */
import { client } from '../../../clients/typescript/src/client.gen.ts';
import { noteServerTime } from '../format/clock.ts';

client.setConfig({ baseUrl: '/api', credentials: 'same-origin' });
client.interceptors.response.use((response) => {
  noteServerTime(response.headers.get('Date'));
  return response;
});

/** Returns the origin and base path that programs use, for the commands which the console shows. */
export const publicApiUrl = () => `${location.origin}/api`;
