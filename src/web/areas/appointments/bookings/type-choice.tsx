import { useEffect, useRef, useState } from 'react'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import { toPriceText } from '#web/shared/format-money.ts'
import { CONTROL_CLASS, FieldLabelText, FieldNotes } from '#web/ui/field-frame.tsx'
import { matchesQuery } from '#web/ui/matches-query.ts'
import { CollapsedStep } from './collapsed-step.tsx'
import { locationText } from './location-text.ts'

/** A longer list can be searched. Source: rule B67. */
const MOST_WITHOUT_SEARCH = 12

type TypeChoiceProps = {
  types: readonly PublicAppointmentType[]
  chosen: PublicAppointmentType | null
  error: string | undefined
  /** True to collapse the step to one line once a type is chosen. Source: rule B29. */
  closes?: boolean
  onReopen?: () => void
  /** `byArrow`: chosen with an arrow key. Arrow keys select each type they pass, so the step must stay open. */
  onChoose: (typeId: string, byArrow: boolean) => void
}

/** Lets the customer choose a service. Shows each service's duration, place, price (or fee note) and description. */
export function ServiceSelection({
  types,
  chosen,
  error,
  closes = false,
  onReopen,
  onChoose,
}: TypeChoiceProps) {
  const lastKey = useRef('')
  const [search, setSearch] = useState('')
  const searchField = useRef<HTMLInputElement>(null)
  // The text may have been typed before hydration, so React does not control it.
  useEffect(() => setSearch(searchField.current?.value ?? ''), [])
  const found = types.filter(
    (type) => type === chosen || matchesQuery({ label: type.name, value: type.description ?? '' }, search),
  )
  const isClosed = closes && chosen !== null && types.length > 1
  return (
    <>
      {isClosed && (
        <CollapsedStep what="appointment type" onChange={onReopen}>
          {chosen.name}
        </CollapsedStep>
      )}
      <fieldset
        hidden={isClosed}
        aria-describedby={error === undefined ? undefined : 'type-error'}
        onKeyDown={(event) => {
          lastKey.current = event.key
        }}
        onPointerDown={() => {
          lastKey.current = ''
        }}
      >
        <legend className="mb-3">
          <h2 className="text-xl">
            <FieldLabelText label="Appointment Type" required />
          </h2>
        </legend>
        <div className="mb-2 empty:hidden">
          <FieldNotes id="type" error={error} />
        </div>
        {types.length > MOST_WITHOUT_SEARCH && (
          <input
            ref={searchField}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            aria-label="Search appointment types"
            placeholder="Search"
            onChange={(event) => setSearch(event.target.value)}
            className={`${CONTROL_CLASS} mb-3`}
          />
        )}
        <p role="status" className="mb-3 text-ink-soft empty:hidden">
          {found.length === 0 && `No appointment type matches “${search.trim()}”.`}
        </p>
        <div className="grid gap-3">
          {found.map((type, index) => (
            <TypeCard
              key={type.id}
              type={type}
              isChosen={type === chosen}
              takesFocus={chosen === null ? index === 0 : type === chosen}
              onChoose={(typeId) => onChoose(typeId, lastKey.current.startsWith('Arrow'))}
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

type TypeCardProps = {
  type: PublicAppointmentType
  isChosen: boolean
  takesFocus: boolean
  onChoose: (typeId: string) => void
}

function TypeCard({ type, isChosen, takesFocus, onChoose }: TypeCardProps) {
  const price = toPriceText(type.price, type.fee_note)
  return (
    <label className="service-card">
      <span
        aria-hidden="true"
        className="absolute inset-y-0 start-0 w-1.5"
        style={{ backgroundColor: type.color }}
      />
      <input
        type="radio"
        required
        name="appointment-type"
        value={type.id}
        checked={isChosen}
        onChange={() => onChoose(type.id)}
        // Clicking a selected radio button fires no change event, but must still lead to the next step.
        onClick={isChosen ? () => onChoose(type.id) : undefined}
        data-focus={takesFocus ? 'type' : undefined}
        aria-describedby={type.description ? `type-${type.id}` : undefined}
        className="radio-sun mt-1"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap justify-between gap-x-4">
          <span className="font-semibold wrap-anywhere">{type.name}</span>
          {price && <bdi className="font-semibold tabular-nums wrap-anywhere">{price}</bdi>}
        </span>
        <span className="block text-ink-soft">
          {[`${type.duration} min`, locationText(type)].filter(Boolean).join(' · ')}
        </span>
        {type.description && (
          <span id={`type-${type.id}`} className="mt-1 block text-ink-soft whitespace-pre-line wrap-anywhere">
            {type.description}
          </span>
        )}
      </span>
    </label>
  )
}
