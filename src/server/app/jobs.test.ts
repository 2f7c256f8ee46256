import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  STANDING_SERIES_CRON,
  STANDING_SERIES_JOB,
} from '#server/areas/appointments/series/job-definitions.ts'
import {
  PAGE_CHECKS_CRON,
  PAGE_CHECKS_JOB,
} from '#server/areas/availability/page-problems/job-definitions.ts'
import {
  CALENDAR_CHANNELS_CRON,
  CALENDAR_CHANNELS_JOB,
  CALENDAR_POLL_CRON,
  CALENDAR_POLL_JOB,
} from '#server/areas/external-calendars/connections/job-definitions.ts'
import {
  PENDING_EVENTS_CRON,
  PENDING_EVENTS_JOB,
} from '#server/areas/external-calendars/events/job-definitions.ts'
import {
  HOLD_SWEEP_CRON,
  HOLD_SWEEP_JOB,
  PAYMENT_RECHECK_CRON,
  PAYMENT_RECHECK_JOB,
} from '#server/areas/payments/checkouts/job-definitions.ts'
import {
  PLAN_COMPARISON_CRON,
  PLAN_COMPARISON_JOB,
  PLAN_SETTLEMENT_CRON,
  PLAN_SETTLEMENT_JOB,
} from '#server/areas/plans/billing/job-definitions.ts'
import { WAITING_SWEEP_CRON, WAITING_SWEEP_JOB } from '#server/areas/waiting-list/job-definitions.ts'
import { DELIVERY_PROBLEMS_CRON, DELIVERY_PROBLEMS_JOB } from '#server/messages/queue/delivery-jobs.ts'
import {
  REMINDERS_CRON,
  REMINDERS_JOB,
  WAITING_MESSAGES_CRON,
  WAITING_MESSAGES_JOB,
} from '#server/messages/queue/due-jobs.ts'
import { HOUSEKEEPING_CRON, HOUSEKEEPING_JOB } from '#server/records/housekeeping/jobs.ts'
import { BACKUP_CRON, BACKUP_JOB } from './backups/backup-jobs.ts'
import { ALL_JOBS } from './jobs.ts'

const CRONS = new Map([
  [HOLD_SWEEP_JOB.name, HOLD_SWEEP_CRON],
  [PAYMENT_RECHECK_JOB.name, PAYMENT_RECHECK_CRON],
  [REMINDERS_JOB.name, REMINDERS_CRON],
  [PENDING_EVENTS_JOB.name, PENDING_EVENTS_CRON],
  [DELIVERY_PROBLEMS_JOB.name, DELIVERY_PROBLEMS_CRON],
  [CALENDAR_POLL_JOB.name, CALENDAR_POLL_CRON],
  [CALENDAR_CHANNELS_JOB.name, CALENDAR_CHANNELS_CRON],
  [PLAN_SETTLEMENT_JOB.name, PLAN_SETTLEMENT_CRON],
  [PLAN_COMPARISON_JOB.name, PLAN_COMPARISON_CRON],
  [HOUSEKEEPING_JOB.name, HOUSEKEEPING_CRON],
  [PAGE_CHECKS_JOB.name, PAGE_CHECKS_CRON],
  [STANDING_SERIES_JOB.name, STANDING_SERIES_CRON],
  [WAITING_MESSAGES_JOB.name, WAITING_MESSAGES_CRON],
  [WAITING_SWEEP_JOB.name, WAITING_SWEEP_CRON],
  [BACKUP_JOB.name, BACKUP_CRON],
])

test('the table of jobs for operators has a row for each kind there is, with its retries and its hours', async () => {
  const text = await readFile('docs/operations/jobs.md', 'utf8')
  const rows = text.split('\n').filter((line) => /^\| `[a-z-]+` \|/.test(line))
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  expect(cells.map(([, name]) => name).sort()).toEqual(ALL_JOBS.map(({ name }) => `\`${name}\``).sort())
  for (const job of ALL_JOBS) {
    const [, , cause, retries] = cells.find(([, name]) => name === `\`${job.name}\``) ?? []
    expect(retries, job.name).toMatch(job.retryLimit === 0 ? /^none$/ : new RegExp(`\\b${job.retryLimit}\\b`))
    const cron = CRONS.get(job.name)
    if (cron !== undefined) expect(cause, job.name).toContain(`\`${cron}\` UTC`)
  }
})
