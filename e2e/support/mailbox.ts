import { setTimeout as pause } from 'node:timers/promises'
import { type Mail, mailSchema, mailsResponse } from '#sandbox/mailbox/mail.ts'
import { serverUrl } from './environment.ts'

/** Selects the emails to this address whose subject contains the text or matches the pattern. */
export type MailFilter = { readonly to: string; readonly subject?: string | RegExp }

/** How long an email may take, in ms. A job whose worker was silent for 16 s is retried, which happens on a busy machine. */
const TIMEOUT_MS = 30_000
const POLL_MS = 100

/**
 * Waits until the mailbox has a matching email and returns it in full, the newest if there are several.
 * @throws Error that lists the emails that did arrive, after 30 s unless `timeoutMs` is given
 */
export async function waitForMail(filter: MailFilter, timeoutMs = TIMEOUT_MS): Promise<Mail> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const [mail] = await listMails(filter)
    if (mail !== undefined) return mail
    if (performance.now() > deadline) throw new Error(await describeMissing(filter))
    await pause(POLL_MS)
  }
}

/** Lists the matching emails that have arrived so far, newest first. */
export async function listMails(filter: MailFilter): Promise<Mail[]> {
  const summaries = mailsResponse.parse(await getJson('/api/sandbox/mails')).mails
  const wanted = summaries
    .filter(({ to, subject }) => isTo(to, filter.to) && hasSubject(subject, filter.subject))
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
  return Promise.all(
    wanted.map(async ({ id }) => mailSchema.parse(await getJson(`/api/sandbox/mails/${id}`))),
  )
}

/** Returns the first link in an email whose path starts with `path`, without its host, for `page.goto`. */
export function findLink(mail: Mail, path: string): string {
  for (const [address] of mail.text.matchAll(/https?:\/\/[^\s<>"]+/g)) {
    const url = new URL(address)
    if (url.pathname.startsWith(path)) return `${url.pathname}${url.search}${url.hash}`
  }
  throw new Error(`No link to ${path} in the mail '${mail.subject}':\n${mail.text}`)
}

function isTo(recipient: string, address: string): boolean {
  // A recipient is an email address, or a name followed by an email address in angle brackets.
  const bare = /<([^<>]+)>\s*$/.exec(recipient)?.[1] ?? recipient
  return bare.trim().toLowerCase() === address.trim().toLowerCase()
}

function hasSubject(subject: string, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true
  return typeof wanted === 'string' ? subject.includes(wanted) : wanted.test(subject)
}

async function describeMissing({ to, subject }: MailFilter): Promise<string> {
  const { mails } = mailsResponse.parse(await getJson('/api/sandbox/mails'))
  const arrived = mails.map((mail) => `  ${mail.to}: ${mail.subject}`).join('\n')
  const about = subject === undefined ? '' : ` about ${subject}`
  return `No mail to ${to}${about} within ${TIMEOUT_MS / 1000} s. In the mailbox:\n${arrived || '  nothing'}`
}

async function getJson(path: string): Promise<unknown> {
  const response = await fetch(`${serverUrl()}${path}`)
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
