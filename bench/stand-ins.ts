/** The stand-ins and the webhook receiver, in a process of their own: their processor time counts for neither party. */
import { startDemoReceiver } from '../local/demo-receiver.ts';
import { startStandIns } from '../local/stand-ins/server.ts';

const [standIns, receiver] = await Promise.all([startStandIns(), startDemoReceiver({ quiet: true })]);
console.log(`${standIns.url} ${receiver.url}`);
