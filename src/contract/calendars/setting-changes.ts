import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { instantSchema } from '#contract/shared/primitives.ts'
import { SETTING_KINDS } from '#core/calendars/setting-kinds.ts'
import { activityPageQuery } from './refusals.ts'

export const settingChangesQuery = activityPageQuery.extend({
  /** Only the settings of one tab. */
  kind: z.enum(SETTING_KINDS).optional(),
})

/** The columns of a row, as stored; of `calendars` only those that changed. */
const columns = z.record(z.string(), z.unknown()).nullable()

const changedRowSchema = z.object({
  /** The table of the row; `calendars` for the calendar itself. */
  what: z.string(),
  /** The name of an appointment type, location or question. */
  name: z.string().nullable(),
  /** Null for a row that was added. */
  before: columns,
  /** Null for a row that was removed. */
  after: columns,
})
export type ChangedRow = z.infer<typeof changedRowSchema>

/** Settings that somebody changed at once. Source: rule C23. */
export const settingChangeSchema = componentSchema('SettingChange', {
  id: z.string(),
  at: instantSchema,
  /** `meridian`: no person changed it, for example when a plan ended. `other`: the owner of a shared location. */
  by: z.enum(['you', 'other', 'meridian']),
  /** In the order of the changes. */
  rows: z.array(changedRowSchema),
})
export type SettingChange = z.infer<typeof settingChangeSchema>

export const settingChangesResponse = componentSchema('SettingChangeList', {
  changes: z.array(settingChangeSchema),
  /** The names of appointment types, locations and external calendars that the rows refer to, by id. */
  names: z.record(z.string(), z.string()),
  /** The cursor of the next page; null on the last page. */
  next: z.string().nullable(),
})
export type SettingChangesResponse = z.infer<typeof settingChangesResponse>
