import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { LIMITS } from '#contract/shared/limits.ts'
import { isSameName } from '#core/shared/same-name.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { TextField } from '#web/ui/field.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { peopleQuery } from './people-query.ts'

/** The person whose time a calendar uses: the owner, or another person. */
export type PersonOfCalendar = 'mine' | 'other'

type WhoseTimeFieldsProps = {
  /** True when the dialog's title already asks the question, so that the legend is hidden. */
  isLegendHidden?: boolean
  whose: PersonOfCalendar
  onWhose: (whose: PersonOfCalendar) => void
  name: string
  onName: (name: string) => void
  nameRef?: Ref<HTMLInputElement>
  nameError: string | undefined
}

/** Lets the owner say whose time a calendar uses. Offers known people as buttons. Source: rule T38. */
export function PersonOfCalendarFields(props: WhoseTimeFieldsProps) {
  const { isLegendHidden = false, whose, onWhose, name, onName, nameRef, nameError } = props
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup<PersonOfCalendar>
        legend="Whose time is this?"
        isLegendHidden={isLegendHidden}
        options={[
          {
            value: 'mine',
            label: 'Mine',
            hint: 'A booking here blocks the time on your other calendars, too.',
          },
          { value: 'other', label: 'Somebody else’s', hint: 'A booking here doesn’t block your time.' },
        ]}
        value={whose}
        onChange={onWhose}
      />
      {whose === 'other' && (
        <div className="ms-7.5 flex flex-col gap-3">
          <TextField
            label="Their name"
            required
            autoComplete="off"
            maxLength={LIMITS.personName}
            error={nameError}
            value={name}
            onChange={({ target }) => onName(target.value)}
            {...(nameRef === undefined ? {} : { ref: nameRef })}
          />
          <KnownPeople name={name} onName={onName} />
        </div>
      )}
    </div>
  )
}

/** Shows a button for each person besides the owner who has a calendar. Renders nothing if there are no such people. */
function KnownPeople({ name, onName }: Pick<WhoseTimeFieldsProps, 'name' | 'onName'>) {
  const { data } = useQuery(peopleQuery)
  const people = data?.people.filter(({ is_owner }) => !is_owner) ?? []
  if (people.length === 0) return null
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5">
      <legend className="mb-1 text-sm text-ink-soft">Or choose somebody who already has a calendar:</legend>
      {people.map((person) => (
        <button
          key={person.id}
          type="button"
          aria-pressed={isSameName(person.name, name)}
          onClick={() => onName(person.name)}
          className="rounded-lg border border-line-strong px-3 py-1.5 text-start text-sm font-semibold wrap-anywhere text-ink-soft hover:border-ink hover:text-ink touch:min-h-11 aria-pressed:border-transparent aria-pressed:bg-chosen aria-pressed:text-on-night"
        >
          {wrapInBidiIsolates(person.name)}
        </button>
      ))}
    </fieldset>
  )
}
