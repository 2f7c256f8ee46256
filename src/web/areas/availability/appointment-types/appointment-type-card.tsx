import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import type { Location } from '#contract/availability/locations.ts'
import { BinButton, EditButton } from '#web/kit/item-buttons.tsx'
import { formatEuro } from '#web/shared/format-money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Clock } from '#web/ui/icons/clock.ts'
import { MapPin } from '#web/ui/icons/map-pin.ts'

type AppointmentTypeCardProps = {
  type: AppointmentType
  /** The location of a type that has none of its own. */
  primary: Location | null
  onEdit: () => void
  onDelete: () => void
}

/** One appointment type as its owner sees it. Source: rule C12. */
export function AppointmentTypeCard({ type, primary, onEdit, onDelete }: AppointmentTypeCardProps) {
  const place = type.location ?? (type.is_online ? null : primary)
  return (
    <article
      aria-label={type.name}
      className="flex min-w-0 overflow-hidden rounded-control border border-line bg-surface"
    >
      <div aria-hidden="true" className="w-1.5 shrink-0" style={{ backgroundColor: type.color }} />
      <div className="min-w-0 flex-1 p-4">
        <div className="flex items-start justify-between gap-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="min-w-0 font-semibold break-words">{type.name}</h3>
            {type.is_online && <Badge tone="info">Online</Badge>}
          </div>
          <div className="-me-2 -mt-2 flex shrink-0 gap-1">
            <EditButton name={type.name} onPress={onEdit} />
            <BinButton label={`Delete ${type.name}`} onPress={onDelete} />
          </div>
        </div>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
          <span className="inline-flex items-center gap-1.5">
            <Clock aria-hidden="true" className="size-4" />
            {type.duration} min
          </span>
          {type.price !== null && <span className="font-semibold text-ink">{formatEuro(type.price)}</span>}
          {type.payment_required && <span>Paid when booked</span>}
        </p>
        {place !== null && (
          <p className="mt-1 flex items-start gap-1.5 text-ink-soft">
            <MapPin aria-hidden="true" className="mt-1 size-4 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {[place.name, place.address].filter(Boolean).join(', ')}
              {type.location === null && ' (primary location)'}
            </span>
          </p>
        )}
        {type.description && (
          <p className="mt-1 break-words whitespace-pre-line text-ink-soft">{type.description}</p>
        )}
      </div>
    </article>
  )
}
