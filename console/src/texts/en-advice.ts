/** English texts that are loaded with deliveries and batches. */
export const failureAdvice = {
  timeout: 'Your endpoint did not respond within 10 s. Respond with 2xx right away, then process.',
  dns: 'The host name of the webhook URL does not resolve. Correct the URL on the assistant; the next attempt uses it.',
  connect: 'The endpoint accepts no connections. Check that it is running and its port is open.',
  connection_closed:
    'The endpoint accepted the connection and closed it before the response was complete. Check its log, and proxies in front of it.',
  tls: 'The TLS connection failed. Check that the certificate is valid for this host name.',
  invalid_response:
    'The endpoint sent a response that is not valid HTTP/1.1. Check its headers, and that http or https in the URL is right.',
  redirect: 'Redirects are not followed. Use the final URL as the webhook URL.',
  blocked_address: 'The URL points to a private or reserved address, which this server does not call.',
  http_status: 'Your endpoint returned an error. See Response.',
  worker_lost: 'The worker crashed before it recorded the attempt. The delivery is retried.',
  secret_unreadable: 'The webhook secret can’t be decrypted. Set a new secret on the assistant.',
};

/** What batches do. */
export const actionHints = {
  reanalyze: 'Creates a new session for each finished original. Originals are kept.',
  retry:
    'Retries temporary failures, such as a provider outage. Skips failures that a retry can’t fix, such as a rejected API key.',
  delete: 'Deletes recordings, texts and deliveries for good.',
  redeliver:
    'Sends ended deliveries again, each as a new delivery with the same body, five per second. Skips those that were redelivered before.',
};

export const stopReasons = {
  assistant_deleted: 'The assistant was deleted.',
  webhook_url_removed: 'The webhook URL was removed.',
  alert_removed: 'The alert was removed.',
  canceled: 'The session was canceled.',
  requested: 'Stopped manually.',
  terminated: 'The workflow was terminated.',
};
