import type { PublicAppointmentType } from '#contract/appointment-types.ts'
import { formatEuro } from '#web/shared/format-money.ts'
import { FieldNotes } from '#web/ui/field-frame.tsx'

type TypeChoiceProps = {
  types: readonly PublicAppointmentType[]
  chosen: string | null
  error: string | undefined
  onChoose: (typeId: string) => void
}

/** The services to choose from, each with what a customer wants to know before choosing. */
export function TypeChoice({ types, chosen, error, onChoose }: TypeChoiceProps) {
  return (
    <fieldset aria-describedby={error === undefined ? undefined : 'type-error'}>
      <legend className="mb-3">
        <h2 className="text-xl">Appointment Type</h2>
      </legend>
      <div className="mb-2 empty:hidden">
        <FieldNotes id="type" error={error} />
      </div>
      <div className="grid gap-3">
        {types.map((type, index) => (
          <TypeCard
            key={type.id}
            type={type}
            isChosen={type.id === chosen}
            takesFocus={chosen === null ? index === 0 : type.id === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </fieldset>
  )
}

type TypeCardProps = {
  type: PublicAppointmentType
  isChosen: boolean
  takesFocus: boolean
  onChoose: (typeId: string) => void
}

function TypeCard({ type, isChosen, takesFocus, onChoose }: TypeCardProps) {
  return (
    <label className="relative flex cursor-pointer gap-3 overflow-hidden rounded-control border border-line-strong bg-surface py-3 ps-5 pe-4 transition-colors hover:border-ink has-checked:border-ink has-checked:bg-sunken has-checked:ring-1 has-checked:ring-ink">
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
        data-focus={takesFocus ? 'type' : undefined}
        aria-describedby={type.description ? `type-${type.id}` : undefined}
        className="radio-sun mt-1"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap justify-between gap-x-4">
          <span className="font-semibold wrap-anywhere">{type.name}</span>
          {type.price !== null && (
            <span className="font-semibold tabular-nums">{formatEuro(type.price)}</span>
          )}
        </span>
        <span className="block text-ink-soft">
          {[`${type.duration} min`, locationOf(type)].filter(Boolean).join(' · ')}
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

/** Where it happens: 'Online', or the name and address of the location; null when the type has neither. */
function locationOf(type: PublicAppointmentType): string | null {
  if (type.is_online) return 'Online'
  return [type.location?.name, type.location?.address].filter(Boolean).join(', ') || null
}
