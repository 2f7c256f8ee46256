import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SettingChange } from '#contract/calendars/setting-changes.ts'
import { SETTING_KINDS, type SettingKind } from '#core/calendars/setting-kinds.ts'
import { formatMoment } from '#web/kit/format-moment.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { RefusalItem } from '#web/kit/refusal-item.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { Select } from '#web/ui/select.tsx'
import { ActivityCard } from './activity-card.tsx'
import { type Cursor, refusalsQuery, settingChangesQuery } from './activity-queries.ts'
import { describeSettingChange, type SettingLine } from './setting-words.ts'

const LISTS = [
  { value: 'changes', label: 'Changes' },
  { value: 'refusals', label: 'Refused bookings' },
] as const

type ActivityPanelProps = {
  calendar: Calendar
  /** Returns the name of the settings tab that shows a kind of setting. */
  labelOfKind: (kind: SettingKind) => string
}

/** Shows who changed which setting of a calendar, or the bookings that customers were refused. Source: rules C23 and T76. */
export function ActivityPanel({ calendar, labelOfKind }: ActivityPanelProps) {
  const [list, setList] = useState<(typeof LISTS)[number]['value']>('changes')
  return (
    <div className="flex flex-col items-start gap-4">
      <SegmentedControl legend="List" options={LISTS} value={list} onChange={setList} />
      {list === 'changes' ? (
        <ChangesCard calendar={calendar} labelOfKind={labelOfKind} />
      ) : (
        <RefusalsCard calendar={calendar} />
      )}
    </div>
  )
}

function ChangesCard({ calendar: { id, timezone }, labelOfKind }: ActivityPanelProps) {
  const [kind, setKind] = useState<SettingKind | 'all'>('all')
  const [cursors, setCursors] = useState<readonly Cursor[]>([])
  const query = useQuery(settingChangesQuery(id, kind === 'all' ? undefined : kind, cursors.at(-1)))
  const { changes = [], names = {} } = query.data ?? {}
  const kinds = SETTING_KINDS.map((value) => ({ value, label: labelOfKind(value) }))
  return (
    <ActivityCard
      title="Changes"
      description="Who changed which setting in the last 400 days."
      {...{ query, cursors }}
      onTurn={setCursors}
      actions={
        <Select
          label="Settings"
          options={[{ value: 'all', label: 'All settings' }, ...kinds]}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen)
            setCursors([])
          }}
        />
      }
    >
      {changes.length === 0 ? (
        <EmptyState title="No changes" hint="When you change a setting, you’ll see it here." />
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {changes.map((change) => (
            <ChangeItem key={change.id} change={change} {...{ names, timezone, kind }} />
          ))}
        </ul>
      )}
    </ActivityCard>
  )
}

const WHO = { you: 'You', other: 'The owner of a shared location', meridian: 'Meridian' } as const

type ChangeItemProps = {
  change: SettingChange
  names: Readonly<Record<string, string>>
  timezone: string
  /** The kind of setting that is listed. */
  kind: SettingKind | 'all'
}

function ChangeItem({ change: { at, by, rows }, names, timezone, kind }: ChangeItemProps) {
  const hourCycle = useHourCycle()
  const lines = describeSettingChange(rows, { names, hourCycle }).filter(
    (line) => kind === 'all' || line.kind === kind,
  )
  return (
    <li className="py-3">
      {lines.length === 0 ? (
        <p>Saved without a change that you can see.</p>
      ) : (
        lines.map((line) => <ChangeLine key={`${line.kind} ${line.label}`} line={line} />)
      )}
      <p className="mt-0.5 text-sm text-ink-soft">
        {WHO[by]} · {formatMoment(at, timezone, hourCycle)}
      </p>
    </li>
  )
}

function ChangeLine({ line: { label, before, after } }: { line: SettingLine }) {
  return (
    <p className="wrap-anywhere">
      <span className="font-semibold">{label}</span>
      {before === null ? ' added: ' : after === null ? ' removed: ' : ': '}
      {before !== null && after !== null ? (
        <>
          <span className="text-ink-soft">{before}</span>
          <span aria-hidden="true"> → </span>
          <span className="sr-only"> changed to </span>
          {after}
        </>
      ) : (
        (before ?? after)
      )}
    </p>
  )
}

function RefusalsCard({ calendar: { id, timezone } }: { calendar: Calendar }) {
  const [cursors, setCursors] = useState<readonly Cursor[]>([])
  const query = useQuery(refusalsQuery(id, cursors.at(-1)))
  const refusals = query.data?.refusals
  return (
    <ActivityCard
      title="Refused bookings"
      description="Times that customers tried to book but couldn’t, in the last 30 days."
      {...{ query, cursors }}
      onTurn={setCursors}
    >
      {refusals?.length === 0 ? (
        <EmptyState
          title="No refused bookings"
          hint="When a customer can’t have a time, you’ll see here why."
        />
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {refusals?.map((refusal) => (
            <RefusalItem key={refusal.id} refusal={refusal} timeZone={timezone} />
          ))}
        </ul>
      )}
    </ActivityCard>
  )
}
