import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarDomainSchema, changeDomainBody, domainVerification } from './domains.ts'

const OWN_CALENDAR = ['calendar.not_found', 'calendar.forbidden'] as const

/** Operations on a calendar's addresses: its path, its subdomain and its custom domain. */
export const domainOperations = defineOperations({
  getCalendarDomain: {
    address: at.getCalendarDomain,
    summary: 'The addresses of one of my calendars',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarDomainSchema },
    problems: [...OWN_CALENDAR],
  },
  changeCalendarDomain: {
    address: at.changeCalendarDomain,
    summary: 'Choose the address of a calendar: a path, a subdomain or a domain of my own',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    body: changeDomainBody,
    answers: { 200: calendarDomainSchema },
    problems: [
      ...OWN_CALENDAR,
      'calendar.slug_taken',
      'calendar.slug_reserved',
      'calendar.slug_invalid',
      'domain.not_in_plan',
      'domain.not_offered',
      'domain.subdomains_spent',
      'domain.root_not_offered',
      'domain.subdomain_not_offered',
      'domain.subdomain_taken',
      'domain.not_a_name',
      'domain.with_more',
      'domain.is_ip_address',
      'domain.is_public_suffix',
      'domain.is_special',
      'domain.of_installation',
      'domain.mixes_scripts',
    ],
  },
  deleteCalendarDomain: {
    address: at.deleteCalendarDomain,
    summary: 'Remove the subdomain or the domain of a calendar; its path stays',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarDomainSchema },
    problems: [...OWN_CALENDAR],
  },
  verifyCalendarDomain: {
    address: at.verifyCalendarDomain,
    summary: 'Check the DNS records of a custom domain, and serve it when they are correct',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: domainVerification },
    problems: [
      ...OWN_CALENDAR,
      'domain.not_in_plan',
      'domain.not_offered',
      'domain.nothing_to_verify',
      'domain.changed_meanwhile',
    ],
  },
})
