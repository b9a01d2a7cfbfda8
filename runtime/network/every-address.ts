/**
 * Options of a connection to a host with several addresses: each of them is tried. Node's default of 250 ms is shorter than
 * the handshake with a distant host (RFC 8305 recommends 250 ms for attempts in parallel, but Node gives up the former one).
 */
export const EVERY_ADDRESS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_500 };
