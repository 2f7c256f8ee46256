import { useEffect } from 'react'
import { EMAIL_LINK_TOKEN_PREFIX } from '#contract/messages/email-link-mark.ts'
import type { EmailLinkBody } from '#contract/messages/email-links.ts'
import * as at from '#contract/operations/addresses.ts'
import { apiPath } from './call-api.ts'

/**
 * Events that only a person causes on a page. The link scanner of a mail server also opens the page, but causes none of them.
 * Source: rule E5.
 */
const SIGNS_OF_A_PERSON = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * Tells the server, when a person first uses a page that was opened from an email, that the reader of the email knows of the
 * booking. Does nothing when the page was not opened from an email. Source: rule E5.
 */
export function useConfirmEmailWasRead(): void {
  useEffect(() => {
    if (location.hash.startsWith(EMAIL_LINK_TOKEN_PREFIX)) return answerOnInteraction()
  }, [])
}

/** Starts to listen for a person's interaction. @returns a function that stops listening */
function answerOnInteraction(): () => void {
  const link = location.hash.slice(EMAIL_LINK_TOKEN_PREFIX.length)
  const once = new AbortController()
  const answer = ({ isTrusted }: Event) => {
    if (!isTrusted) return
    once.abort()
    const body = JSON.stringify({ link } satisfies EmailLinkBody)
    // The browser sends a beacon even when this click leaves the page.
    navigator.sendBeacon(apiPath(at.answerEmail), new Blob([body], { type: 'application/json' }))
  }
  for (const sign of SIGNS_OF_A_PERSON) {
    addEventListener(sign, answer, { passive: true, signal: once.signal })
  }
  return () => once.abort()
}
