import { createTransport } from 'nodemailer'
import { requiresTls } from './requires-tls.ts'

/** Connects to a mail server and logs in, as for a message, and sends none. @throws Error with what the server says */
export async function logInToMail(url: string, timeoutMs: number): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    requireTLS: requiresTls(url),
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
