import { LineShape, Repeated } from '#web/kit/loading-shape.tsx'

/** Three services with their length and their location, as `AppointmentTypeCard` shows them. */
export function AppointmentTypesPlaceholder() {
  return (
    <div className="flex flex-col gap-3">
      <Repeated count={3}>
        <div className="flex min-w-0 overflow-hidden rounded-control border border-line bg-surface">
          <div className="w-1.5 shrink-0 bg-sunken" />
          <div className="flex min-w-0 flex-1 flex-col gap-1 p-4">
            {/* As high as its buttons, which reach into the padding above. */}
            <div className="h-7 touch:h-9">
              <LineShape className="w-40" />
            </div>
            <LineShape className="w-36" />
            <LineShape className="w-80" />
            <LineShape className="w-56" />
          </div>
        </div>
      </Repeated>
    </div>
  )
}
