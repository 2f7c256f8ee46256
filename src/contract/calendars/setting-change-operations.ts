import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarParams } from './calendars.ts'
import { settingChangesQuery, settingChangesResponse } from './setting-changes.ts'

/** Operations on the history of a calendar's settings. */
export const settingChangeOperations = defineOperations({
  listSettingChanges: {
    address: at.listSettingChanges,
    summary: 'Who changed which setting in the last 400 days, newest first',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    query: settingChangesQuery,
    answers: { 200: settingChangesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
})
