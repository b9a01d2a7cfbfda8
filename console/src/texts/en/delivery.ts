/** The deliveries of one session, and their attempts. */
export const attempts = {
  id: 'Delivery ID',
  none: 'No deliveries',
  noneWhy: 'The assistant had no webhook URL when the session ended.',
  noAttempt: 'No attempts yet.',
  attempt: (attempt: number) => `Attempt ${attempt}`,
  took: (duration: string) => `in ${duration}`,
  sendNow: 'Send now',
  request: 'Request',
  requestHeaders: 'Request headers',
  requestBody: 'Request body',
  response: 'Response',
  responseHeaders: 'Response headers',
  responseBody: 'Response body',
  emptyBody: 'Empty body.',
  truncated: 'Only the first 16 KiB of the body are stored.',
};

export const delivery = {
  titleOf: (event: string) => `Delivery of ${event}`,
  original: 'Original delivery',
  ifItFails: 'if needed',
};

export const failureAdvice = {
  timeout: 'The receiver did not respond within 10 s. Respond with 2xx right away, then process.',
  dns: 'The host name of the webhook URL does not resolve. Correct the URL on the assistant; the next attempt uses it. In a cluster, use the full name.',
  connect: 'The receiver accepts no connections. Check that it is running and its port is open.',
  connection_closed:
    'The receiver accepted the connection and closed it before the response was complete. Check its log, and proxies in front of it.',
  tls: 'The TLS connection failed. The code names the reason.',
  invalid_response:
    'The receiver sent a response that is not valid HTTP/1.1. Check its headers, and that http or https in the URL is right.',
  redirect: 'Redirects are not followed. Use the final URL as the webhook URL.',
  blocked_address: 'The URL points to a private or reserved address, to which this server sends nothing.',
  http_status: 'The receiver returned an error. See Response.',
  worker_lost: 'The worker crashed before it recorded the attempt. The delivery is retried.',
  secret_unreadable: 'The webhook secret can’t be decrypted. Set a new secret on the assistant.',
};

export const tlsAdvice = {
  noTls: 'The receiver does not speak TLS on this port. Correct the port, or use http in the URL.',
  clientCertificate:
    'The receiver requires a client certificate, which the service does not have, or accepts none of its ciphers. Accept requests without a certificate, and verify the signature.',
  oldVersion: 'The receiver speaks only an outdated version of TLS. Enable TLS 1.2 or 1.3.',
  expired: 'The certificate has expired. Renew it.',
  otherName: 'The certificate is for another host name than the one in the URL.',
  unknownIssuer:
    'The issuer of the certificate is unknown. Send the intermediate certificates too. For a private authority, ask the operator.',
};

export const stopReasons = {
  assistant_deleted: 'The assistant was deleted.',
  webhook_url_removed: 'The webhook URL was removed.',
  alert_removed: 'The alert was removed.',
  canceled: 'The session was canceled.',
  requested: 'Stopped manually.',
  terminated: 'The workflow was terminated.',
};
