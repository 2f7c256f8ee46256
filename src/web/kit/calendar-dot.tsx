/**
 * A dot in the colour of a calendar, beside its name, where appointments of several calendars are listed together. The name says
 * the same, so the dot has no text.
 */
export function CalendarDot({ color }: { color: string }) {
  return (
    <span
      aria-hidden="true"
      className="me-1.5 inline-block size-2.5 rounded-full forced-color-adjust-none"
      style={{ backgroundColor: color }}
    />
  )
}

/** True when the appointments belong to more than one calendar. */
export function areOfSeveralCalendars(appointments: readonly { readonly calendar_id: string }[]): boolean {
  return new Set(appointments.map(({ calendar_id }) => calendar_id)).size > 1
}
