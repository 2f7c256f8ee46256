import { z } from 'zod'
import { LIMITS } from '#contract/shared/limits.ts'
import { instantSchema, line } from '#contract/shared/primitives.ts'
import { isReservedSlug, isValidSlug } from '#core/addresses/slug.ts'

/** A DNS record that the owner has to set, with what was found at the last look. Source: rule I13. */
const domainRecord = z.object({
  type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']),
  name: z.string(),
  /** Empty: nothing must be there. Of several addresses one is enough. */
  wanted: z.array(z.string()),
  found: z.array(z.string()),
  verdict: z.enum(['correct', 'missing', 'wrong', 'spreading', 'unknown']),
})
export type DomainRecordAnswer = z.infer<typeof domainRecord>

const domainKind = z.enum(['path', 'subdomain', 'custom'])

/** The addresses of a calendar as its owner sees them (rule I1). */
export const calendarDomainSchema = z.object({
  type: domainKind,
  /** The word that the owner chose instead of the slug. */
  path: z.string().nullable(),
  /** The subdomain that it has, or would get; null where this installation has none. */
  subdomain: z.string().nullable(),
  custom_domain: z.string().nullable(),
  /** The same in the letters that people read, where they differ. */
  custom_domain_letters: z.string().nullable(),
  /** Of the custom domain: `released` when its calendar has lost it; null without one. */
  state: z.enum(['pending', 'live', 'failing', 'released']).nullable(),
  /** Since when it does not point here. */
  failing_since: instantSchema.nullable(),
  /** When it is given up unless it points here again. */
  kept_until: instantSchema.nullable(),
  last_checked_at: instantSchema.nullable(),
  /** Of the subdomain, or of the custom domain once it is proven; null without one. Links lead there once it is `ready` (rule I16). */
  certificate: z.enum(['pending', 'failed', 'ready']).nullable(),
  /** What has to be set. `found` and `verdict` are of this answer's own look; without one they are empty and unknown. */
  records: z.array(domainRecord),
  /** Where the records are set when this installation only tries things; null where the real DNS is asked. */
  dns_page: z.string().nullable(),
  offers_subdomain: z.boolean(),
  offers_custom: z.boolean(),
  /** Whether the owner's plan has custom domains. */
  custom_in_plan: z.boolean(),
  /** Where customers book now. */
  public_url: z.string(),
})
export type CalendarDomain = z.infer<typeof calendarDomainSchema>

/** Which address a calendar is to have. */
export const changeDomainBody = z.object({
  type: domainKind,
  /** With `path`: a word instead of the slug; empty for the slug alone. */
  path: line(LIMITS.slug)
    .toLowerCase()
    .refine((path) => path === '' || isValidSlug(path), 'calendar.slug_invalid')
    .refine((path) => !isReservedSlug(path), 'calendar.slug_reserved')
    .default(''),
  /** With `custom`. */
  custom_domain: line(LIMITS.domain).default(''),
})
export type ChangeDomainBody = z.input<typeof changeDomainBody>

export const domainVerification = z.object({ verified: z.boolean(), domain: calendarDomainSchema })
export type DomainVerification = z.infer<typeof domainVerification>
