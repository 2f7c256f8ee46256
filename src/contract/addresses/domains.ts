import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { instantSchema, singleLineSchema } from '#contract/shared/primitives.ts'
import { isReservedSlug, isValidSlug } from '#core/addresses/slug.ts'

/** A DNS record that the owner has to set, and the values that the latest check found. Source: rule I13. */
const domainRecord = z.object({
  type: z.enum(['TXT', 'CNAME', 'A', 'AAAA']),
  name: z.string(),
  /** The values that the record must have; empty when the record must not exist. Of several IP addresses, one is enough. */
  wanted: z.array(z.string()),
  found: z.array(z.string()),
  verdict: z.enum(['correct', 'missing', 'wrong', 'spreading', 'unknown']),
})
export type CheckedDomainRecord = z.infer<typeof domainRecord>

const domainKind = z.enum(['path', 'subdomain', 'custom'])

/** A calendar's addresses as its owner sees them (rule I1). */
export const calendarDomainSchema = componentSchema('CalendarDomain', {
  type: domainKind,
  /** The path that the owner has chosen instead of the slug; null for the slug. */
  path: z.string().nullable(),
  /** The calendar's subdomain, or the one that it would get; null when this installation has no subdomains. */
  subdomain: z.string().nullable(),
  custom_domain: z.string().nullable(),
  /** The custom domain in its own script, such as `müller.de`; null when it is the same. */
  custom_domain_letters: z.string().nullable(),
  /** The custom domain's state; null without a custom domain. `released`: the calendar has lost it. */
  state: z.enum(['pending', 'live', 'failing', 'released']).nullable(),
  /** The time since which the domain has not pointed to this installation; null otherwise. */
  failing_since: instantSchema.nullable(),
  /** When the domain will be released unless it points here again; null otherwise. */
  kept_until: instantSchema.nullable(),
  last_checked_at: instantSchema.nullable(),
  /**
   * The state of the certificate for the subdomain or the verified custom domain; null without one. Links use the host once it is
   * `ready` (rule I16).
   */
  certificate: z.enum(['pending', 'failed', 'ready']).nullable(),
  /**
   * The DNS records to set. `found` and `verdict` come from a DNS lookup for this response; without one, they are empty and
   * `unknown`.
   */
  records: z.array(domainRecord),
  /** The DNS sandbox's page on which the records can be set; null when the real DNS is used. */
  dns_page: z.string().nullable(),
  offers_subdomain: z.boolean(),
  offers_custom: z.boolean(),
  /** True when the owner's plan includes custom domains. */
  custom_in_plan: z.boolean(),
  /** The current URL of the booking page. */
  public_url: z.string(),
})
export type CalendarDomain = z.infer<typeof calendarDomainSchema>

/** A calendar's new address. */
export const changeDomainBody = componentSchema('CalendarDomainChange', {
  type: domainKind,
  /** For type `path`: the path to use instead of the slug; empty for the slug. */
  path: singleLineSchema(LIMITS.slug)
    .toLowerCase()
    .refine((path) => path === '' || isValidSlug(path), 'calendar.slug_invalid')
    .refine((path) => !isReservedSlug(path), 'calendar.slug_reserved')
    .default(''),
  /** For type `custom`. */
  custom_domain: singleLineSchema(LIMITS.domain).default(''),
})
export type ChangeDomainBody = z.input<typeof changeDomainBody>

export const domainVerification = componentSchema('CalendarDomainVerification', {
  verified: z.boolean(),
  domain: calendarDomainSchema,
})
export type DomainVerification = z.infer<typeof domainVerification>
