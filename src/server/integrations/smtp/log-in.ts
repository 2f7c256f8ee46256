import { createTransport } from 'nodemailer'
import { requiresTls } from './requires-tls.ts'

/** Connects to a mail server and logs in without sending a message. @throws Error with the server's reason */
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
