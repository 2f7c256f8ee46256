import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { LIMITS } from '#contract/limits.ts'
import { matchesQuery } from '#web/ui/matches-query.ts'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { SuggestField } from '#web/ui/suggest-field.tsx'
import { peopleQuery } from './people-query.ts'

/** Whose time a calendar takes: the owner's, or that of somebody else with a name. */
export type Whose = 'mine' | 'other'

type WhoseTimeFieldsProps = {
  /** The title of the dialog asks already. */
  isLegendHidden?: boolean
  whose: Whose
  onWhose: (whose: Whose) => void
  name: string
  onName: (name: string) => void
  nameRef?: Ref<HTMLInputElement>
  nameError: string | undefined
}

/** Asks whose time a calendar takes. The people who have a calendar already are suggested. Source: rule T38. */
export function WhoseTimeFields(props: WhoseTimeFieldsProps) {
  const { isLegendHidden = false, whose, onWhose, name, onName, nameRef, nameError } = props
  const { data } = useQuery(peopleQuery)
  const typed = name.trim()
  const suggestions = (data?.people ?? [])
    .filter((person) => !person.is_owner && person.name !== typed)
    .map(({ id, name: label, calendars }) => ({
      id,
      label,
      note: calendars.map((calendar) => calendar.name).join(', '),
    }))
    .filter(({ id, label }) => typed === '' || matchesQuery({ value: id, label }, typed))
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup<Whose>
        legend="Whose time is this?"
        isLegendHidden={isLegendHidden}
        options={[
          {
            value: 'mine',
            label: 'Mine',
            hint: 'A booking here takes the time on your other calendars, too.',
          },
          { value: 'other', label: 'Somebody else’s', hint: 'It takes none of your time.' },
        ]}
        value={whose}
        onChange={onWhose}
      />
      {whose === 'other' && (
        <SuggestField
          label="Their name"
          required
          hint="With the same name on several calendars, they are one person."
          error={nameError}
          value={name}
          onChange={onName}
          inputRef={nameRef}
          maxLength={LIMITS.personName}
          opensEmpty
          suggestions={suggestions}
          onPick={({ label }) => onName(label)}
          className="ms-7.5"
        />
      )}
    </div>
  )
}
