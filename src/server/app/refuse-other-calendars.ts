import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/platform/db/database.ts'
import { isApiRequest } from '#server/platform/http/is-api-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { calendarHostOf } from '#server/platform/http/request-hosts.ts'
import { findCalendarOfRecord } from '#server/records/hostnames/record-repository.ts'
import { findNamedRecord, type LinkDeps } from './named-record.ts'

/**
 * On a calendar's host, refuses customer operations on another calendar's records: appointments and waiting-list
 * requests identified in the URL by an id or signed link. Many areas read these records, so the calendar is checked
 * here, with one primary-key lookup, and only on calendar hosts. Source: rule J3.
 */
export function refuseOtherCalendars(app: FastifyInstance, deps: LinkDeps & { readonly db: Db }): void {
  // Runs before the body is validated, so that no refusal reveals anything about another calendar's record.
  app.addHook('preValidation', async (request) => {
    const host = calendarHostOf(request)
    const record = host === null || !isApiRequest(request) ? null : findNamedRecord(deps, request)
    if (host === null || record === null) return
    const calendar = await findCalendarOfRecord(deps.db, record)
    if (calendar !== null && calendar.calendarId !== host.calendarId)
      throw new ProblemError('request.not_found')
  })
}
