import { EMAIL_LINK_SIGN } from '#contract/email-link-sign.ts'
import type { EmailLinkBody } from '#contract/email-links.ts'

/**
 * What a person does to a page, and a program that opens the links of an email for a mail server does not.
 * Source: rule E5.
 */
const SIGNS_OF_A_PERSON = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * On a page that an email led to: tells the server, as soon as a person uses it, that its reader knows of the booking.
 * Source: rule E5.
 */
export function answerWhenUsed(): void {
  const link = location.hash.slice(EMAIL_LINK_SIGN.length)
  const once = new AbortController()
  const answer = ({ isTrusted }: Event) => {
    if (!isTrusted) return
    once.abort()
    const body = JSON.stringify({ link } satisfies EmailLinkBody)
    // It arrives although what was pressed may lead away.
    navigator.sendBeacon('/api/public/email-answers', new Blob([body], { type: 'application/json' }))
  }
  for (const sign of SIGNS_OF_A_PERSON) {
    addEventListener(sign, answer, { passive: true, signal: once.signal })
  }
}
