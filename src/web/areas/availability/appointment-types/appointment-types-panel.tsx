import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import type { Location } from '#contract/availability/locations.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { typeUrlOf } from '#core/addresses/public-url.ts'
import { appointmentTypesQuery } from '#web/kit/appointment-types-query.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { DeleteButton, EditButton } from '#web/kit/item-buttons.tsx'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { useEditDialog } from '#web/kit/use-edited-record.ts'
import { toPriceText } from '#web/shared/format-money.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Clock } from '#web/ui/icons/clock.ts'
import { MapPin } from '#web/ui/icons/map-pin.ts'
import { Plus } from '#web/ui/icons/plus.ts'
import { AppointmentTypeDialog } from './appointment-type-dialog.tsx'
import { locationOptionsQuery } from './appointment-type-queries.ts'
import { DeleteAppointmentTypeDialog } from './delete-appointment-type-dialog.tsx'
import { dragRow } from './drag-row.ts'
import { MoveTypeButton } from './move-type-button.tsx'
import { findAppointmentTypeDraft } from './use-appointment-type-form.ts'
import { useTypeOrder } from './use-type-order.ts'

/** Lets the owner manage a calendar's appointment types. Source: rule C12. */
export function AppointmentTypesPanel({
  calendar: { id: calendarId, hour_cycle: hourCycle, timezone: timeZone, public_url: bookUrl },
}: {
  calendar: Pick<Calendar, 'id' | 'hour_cycle' | 'timezone' | 'public_url'>
}) {
  const query = useQuery(appointmentTypesQuery(calendarId))
  const { data } = query
  const { data: places } = useQuery(locationOptionsQuery(calendarId))
  const types = data?.appointment_types
  const dialog = useEditDialog<AppointmentType>(() => findAppointmentTypeDraft(calendarId))
  const { edit } = dialog
  const [doomed, setDoomed] = useState<AppointmentType | null>(null)
  const [deleting, setDeleting] = useState(false)
  const hintId = useId()
  const { types: ordered, order, moveBy, announcement } = useTypeOrder(calendarId, types ?? [])
  const canMove = ordered.length > 1

  return (
    <Card
      title="Appointment Types"
      description="What customers can book, and how long each takes."
      actions={
        <Button variant={types?.length === 0 ? 'secondary' : 'primary'} onClick={() => edit(null)}>
          <Plus aria-hidden="true" className="size-5" />
          Add Type
        </Button>
      }
    >
      <LoadStatus
        query={query}
        loading="Loading appointment types..."
        failed="Failed to load appointment types"
      >
        <AppointmentTypesPlaceholder />
      </LoadStatus>
      {types?.length === 0 && (
        <EmptyState
          title="No appointment types created yet"
          hint="Until you add one, every appointment takes 30 minutes."
          action={
            <Button variant="primary" onClick={() => edit(null)}>
              Create your first appointment type
            </Button>
          }
        />
      )}
      {canMove && (
        <p id={hintId} className="mb-3 text-ink-soft">
          Customers see them in this order. To change it, drag a handle, or press it for a menu.
        </p>
      )}
      {ordered.length > 0 && (
        <ul className="group relative flex flex-col gap-3">
          {ordered.map((type, index) => (
            <li key={type.id} data-id={type.id} className={ROW_CLASS}>
              <AppointmentTypeCard
                type={type}
                url={typeUrlOf(bookUrl, type.id)}
                primary={places?.primary ?? null}
                moveButton={
                  canMove && (
                    <MoveTypeButton
                      name={type.name}
                      hintId={hintId}
                      isFirst={index === 0}
                      isLast={index === ordered.length - 1}
                      onMove={(step) => moveBy(type, step)}
                      onDrag={(event) =>
                        dragRow(event, (rows) =>
                          order(
                            rows.map(({ dataset }) => dataset.id ?? ''),
                            type,
                          ),
                        )
                      }
                    />
                  )
                }
                onEdit={() => edit(type)}
                onDelete={() => {
                  setDoomed(type)
                  setDeleting(true)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <AppointmentTypeDialog
        key={dialog.key}
        calendarId={calendarId}
        hourCycle={hourCycle}
        timeZone={timeZone}
        type={dialog.record}
        providers={{
          stripe_connected: data?.stripe_connected ?? false,
          paypal_connected: data?.paypal_connected ?? false,
        }}
        open={dialog.open}
        onOpenChange={dialog.setOpen}
      />
      {doomed !== null && (
        <DeleteAppointmentTypeDialog type={doomed} open={deleting} onOpenChange={setDeleting} />
      )}
    </Card>
  )
}

/** The CSS classes of a row. While one is dragged, it lies above the others, which slide out of its way. */
const ROW_CLASS =
  'not-data-dragged:group-data-dragging:transition-[translate] data-dragged:relative data-dragged:z-10 data-dragged:rounded-control data-dragged:shadow-pop'

type AppointmentTypeCardProps = {
  type: AppointmentType
  /** Opens the booking page with this type. Source: rule T66. */
  url: string
  /** The handle that moves the type. False where there is no other type. */
  moveButton: ReactNode
  /** The calendar's primary location, which is used by types without a location. */
  primary: Location | null
  onEdit: () => void
  onDelete: () => void
}

/** Shows one appointment type to its owner. Source: rule C12. */
function AppointmentTypeCard({ type, url, moveButton, primary, onEdit, onDelete }: AppointmentTypeCardProps) {
  const price = toPriceText(type.price, type.fee_note)
  const work = [
    type.seats !== null && `${type.seats} seats`,
    type.prepare_minutes > 0 && `${type.prepare_minutes} min preparation`,
    type.wrap_up_minutes > 0 && `${type.wrap_up_minutes} min wrap-up`,
  ]
    .filter(Boolean)
    .join(', ')
  const place = type.location ?? (type.is_online ? null : primary)
  return (
    <article
      aria-label={type.name}
      className="relative flex min-w-0 overflow-hidden rounded-control border border-line bg-surface"
    >
      <div
        aria-hidden="true"
        className="w-1.5 shrink-0 dark:brightness-140"
        style={{ backgroundColor: type.color }}
      />
      <div className="flex max-[17rem]:absolute max-[17rem]:start-1.5 max-[17rem]:h-11">{moveButton}</div>
      <div
        className={classNames(
          'min-w-0 flex-1 p-4 max-[17rem]:pt-11',
          moveButton !== false && 'ps-1 max-[17rem]:ps-4',
        )}
      >
        <div className="flex flex-wrap items-start justify-between gap-x-1 gap-y-3">
          <div className="flex min-w-0 flex-1 basis-36 flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="min-w-0 font-semibold break-words max-[17rem]:text-lg">{type.name}</h3>
            {type.is_online && <Badge tone="info">Online</Badge>}
            {!type.is_listed && <Badge>By link only</Badge>}
          </div>
          <div className="-me-2 -mt-2 ms-auto flex shrink-0 gap-1 max-[17rem]:absolute max-[17rem]:end-2 max-[17rem]:top-2">
            <CopyButton text={url} label={`Copy link to ${type.name}`} done="Link copied to clipboard" />
            <EditButton name={type.name} onPress={onEdit} />
            <DeleteButton label={`Delete ${type.name}`} onPress={onDelete} />
          </div>
        </div>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
          <span className="inline-flex items-center gap-1.5">
            <Clock aria-hidden="true" className="size-4" />
            {type.duration} min
          </span>
          {work !== '' && <span>{work}</span>}
          {price && <span className="min-w-0 font-semibold wrap-anywhere text-ink">{price}</span>}
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

/** The placeholder of three `AppointmentTypeCard`s. */
function AppointmentTypesPlaceholder() {
  return (
    <div className="flex flex-col gap-3">
      <RepeatedPlaceholder count={3}>
        <div className="flex min-w-0 overflow-hidden rounded-control border border-line bg-surface">
          <div className="w-1.5 shrink-0 bg-sunken" />
          <div className="flex min-w-0 flex-1 flex-col gap-1 p-4">
            {/* As high as the buttons' visible area, because the buttons extend into the padding. */}
            <div className="h-7 touch:h-9">
              <LinePlaceholder className="w-40" />
            </div>
            <LinePlaceholder className="w-36" />
            <LinePlaceholder className="w-80" />
            <LinePlaceholder className="w-56" />
          </div>
        </div>
      </RepeatedPlaceholder>
    </div>
  )
}
