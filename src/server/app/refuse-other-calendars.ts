import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/platform/db/database.ts'
import { isApiRequest } from '#server/platform/http/is-api-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { calendarHostOf } from '#server/platform/http/request-hosts.ts'
import { findCalendarOfRecord } from '#server/records/hostnames/record-repository.ts'
import { findNamedRecord, type LinkDeps } from './named-record.ts'

/**
 * Refuses, on the host of a calendar, the operations of customers about a record of another one: appointments and places on waiting lists,
 * which an address names by an id or by a signed link. They are read in many features, so the calendar is compared here, by one look at a
 * primary key, and only on hosts of calendars. Source: rule J3.
 */
export function refuseOtherCalendars(app: FastifyInstance, deps: LinkDeps & { readonly db: Db }): void {
  // This comes before the body is checked, so that no refusal tells anything about a record of another calendar.
  app.addHook('preValidation', async (request) => {
    const host = calendarHostOf(request)
    const record = host === null || !isApiRequest(request) ? null : findNamedRecord(deps, request)
    if (host === null || record === null) return
    const calendar = await findCalendarOfRecord(deps.db, record)
    if (calendar !== null && calendar.calendarId !== host.calendarId)
      throw new ProblemError('request.not_found')
  })
}
