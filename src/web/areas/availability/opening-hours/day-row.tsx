import { type Ref, useEffect, useRef, useState } from 'react'
import type { Availability, AvailabilityBody } from '#contract/availability/opening-hours.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatDayOfWeek } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Copy } from '#web/ui/icons/copy.ts'
import { Plus } from '#web/ui/icons/plus.ts'
import { X } from '#web/ui/icons/x.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { DayBand } from './day-band.tsx'
import { hasRangeEdits, OpeningRangeEditor } from './range-editor.tsx'
import { OpeningRangeForm } from './range-form.tsx'
import { useRemoveOnceWithUndo, useRemoveOpeningRange } from './use-hours-changes.ts'
import { CLOSED, formatRange, listRangesOfDay, suggestOpeningRange } from './week.ts'

type DayRowProps = {
  calendarId: string
  /** The weekday: 0 Sunday to 6 Saturday. */
  day: number
  availability: readonly Availability[]
  /** True while the form for another range is open. */
  adding: boolean
  /** The values typed into that form before the owner had to log in again. */
  draft: AvailabilityBody | undefined
  onAdd: (adding: boolean) => void
  onCopy: () => void
}

/** Shows one weekday with a picture of its hours and its ranges, and lets the owner add or copy them. */
export function WeekdayHoursRow({
  calendarId,
  day,
  availability,
  adding,
  draft,
  onAdd,
  onCopy,
}: DayRowProps) {
  const name = formatDayOfWeek(day)
  const ranges = listRangesOfDay(availability, day)
  const addButton = useRef<HTMLButtonElement>(null)
  const [edited, setEdited] = useState(() => ranges.filter(({ id }) => hasRangeEdits(id)))
  // The form of a range stays open when another window removes the range, so that typed times are kept.
  const removed = edited.filter(({ id }) => ranges.every((range) => range.id !== id))
  const closeForm = () => {
    onAdd(false)
    addButton.current?.focus()
  }
  return (
    <li aria-label={name} className="border-b border-line">
      <div className="grid grid-cols-[1fr_auto] items-center gap-x-5 gap-y-1 @max-2xl:py-2 @2xl:min-h-14 @2xl:grid-cols-[6.5rem_minmax(6rem,1fr)_minmax(13.5rem,2fr)_5.5rem]">
        <h3 className="max-[17rem]:col-span-2 font-sans text-base font-semibold tracking-normal">{name}</h3>
        <DayBand
          calendarId={calendarId}
          ranges={ranges}
          className={classNames(
            '@max-2xl:order-3 @max-2xl:col-span-2 @max-2xl:h-7 @2xl:self-stretch',
            ranges.length === 0 && '@max-2xl:hidden',
          )}
        />
        <div className="flex min-w-0 flex-wrap items-center gap-2 @max-2xl:order-4 @max-2xl:col-span-2 @max-2xl:pt-1 @max-2xl:pb-1 @2xl:py-1.5">
          {ranges.length === 0 && removed.length === 0 && (
            <p className="text-ink-soft @max-2xl:-mt-2 @max-2xl:pb-1.5 @2xl:ps-1">{CLOSED}</p>
          )}
          {[...ranges, ...removed].map((range) => (
            <EditableRange
              key={range.id}
              range={range}
              isRemoved={removed.includes(range)}
              rangesOfDay={ranges}
              isOpen={edited.some(({ id }) => id === range.id)}
              onOpenChange={(isOpen) => {
                const others = edited.filter(({ id }) => id !== range.id)
                setEdited(isOpen ? [...others, range] : others)
              }}
              onGone={() => addButton.current?.focus()}
            />
          ))}
        </div>
        <div className="flex justify-end @max-2xl:order-2 @max-2xl:-me-3 max-[17rem]:col-span-2">
          {ranges.length > 0 && (
            <Button
              variant="ghost"
              aria-label={`Copy ${name} to other days`}
              className="px-0! w-11"
              onClick={onCopy}
            >
              <Copy aria-hidden="true" className="size-4.5" />
            </Button>
          )}
          <Button
            ref={addButton}
            variant="ghost"
            aria-label={`Add hours on ${name}`}
            aria-expanded={adding}
            className="px-0! w-11"
            onClick={() => onAdd(!adding)}
          >
            <Plus aria-hidden="true" className={classNames('size-5', adding && 'rotate-45')} />
          </Button>
        </div>
      </div>
      {adding && (
        <div className="mb-3 rounded-control bg-sunken p-4">
          <OpeningRangeForm
            calendarId={calendarId}
            availability={availability}
            values={draft ?? { day_of_week: day, ...suggestOpeningRange(ranges) }}
            inRow
            onAdded={closeForm}
            onCancel={closeForm}
          />
        </div>
      )}
    </li>
  )
}

type EditableRangeProps = {
  range: Availability
  isRemoved: boolean
  rangesOfDay: readonly Availability[]
  /** True while the form with the times of the range is open. */
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Called when the range disappears, because the focus needs another place. */
  onGone: () => void
}

/** Shows one range, and lets the owner change its times in place or remove it. */
function EditableRange({ range, isRemoved, rangesOfDay, isOpen, onOpenChange, onGone }: EditableRangeProps) {
  const changeButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) changeButton.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (!isOpen) {
    return (
      <RangeChip
        range={range}
        changeButton={changeButton}
        onChange={() => onOpenChange(true)}
        onRemoved={onGone}
      />
    )
  }
  return (
    <OpeningRangeEditor
      range={range}
      isRemoved={isRemoved}
      rangesOfDay={rangesOfDay}
      onClose={() => {
        onOpenChange(false)
        if (isRemoved) onGone()
      }}
    />
  )
}

type RangeChipProps = {
  range: Availability
  changeButton: Ref<HTMLButtonElement>
  onChange: () => void
  onRemoved: () => void
}

/** Shows one range of hours with buttons to change and remove it. The toast offers to undo the removal. */
function RangeChip({ range, changeButton, onChange, onRemoved }: RangeChipProps) {
  const { mutate, isPending } = useRemoveOpeningRange(range.calendar_id)
  const label = formatRange(range, useHourCycle())
  const dayName = formatDayOfWeek(range.day_of_week)
  const remove = useRemoveOnceWithUndo((outcome) => mutate(range, outcome), onRemoved)
  return (
    <span className="inline-flex items-center rounded-control border border-line bg-surface whitespace-nowrap tabular-nums max-[17rem]:whitespace-normal">
      <button
        ref={changeButton}
        type="button"
        aria-label={`Change ${dayName} ${label}`}
        onClick={onChange}
        className="min-h-11 rounded-control ps-3 pe-1 text-start hover:bg-sunken hover:underline"
      >
        {label}
      </button>
      <button
        type="button"
        aria-label={`Remove ${dayName} ${label}`}
        aria-disabled={isPending || undefined}
        onClick={remove}
        className="grid size-11 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-danger"
      >
        {isPending ? <Spinner /> : <X aria-hidden="true" className="size-4" />}
      </button>
    </span>
  )
}
