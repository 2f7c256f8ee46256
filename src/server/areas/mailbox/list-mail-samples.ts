import type { MailContent, MailSampleScene, MailSamplesResponse } from '#contract/mailbox.ts'
import { toMailOrigin } from '#server/messages/emails/mail-origin.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { MAIL_SAMPLES } from './mail-samples.ts'
import { toMailContent } from './use-cases.ts'

/** The senders of the gallery's messages, with the names that the real ones have. */
export type GalleryDeps = { readonly baseUrl: string; readonly mailFrom: string }

export function listMailSamples(): MailSamplesResponse {
  return {
    samples: Object.entries(MAIL_SAMPLES).map(([id, { title, group }]) => ({ id, title, group })),
  }
}

/**
 * One message, made by the function that makes the real one.
 * @throws ProblemError `request.not_found`
 */
export async function getMailSample(
  deps: GalleryDeps,
  { id, scene }: { readonly id: string; readonly scene: MailSampleScene },
): Promise<MailContent> {
  const sample = Object.hasOwn(MAIL_SAMPLES, id) ? MAIL_SAMPLES[id] : undefined
  if (sample === undefined) throw new ProblemError('request.not_found')
  return toMailContent(await sample.build({ origin: toMailOrigin(deps), baseUrl: deps.baseUrl }, scene))
}
