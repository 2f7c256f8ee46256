import type { Logo } from '#contract/calendars/branding.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { locationText } from './location-text.ts'
import { capitalise, professionalName } from './professional.ts'

type BookingHeaderProps = {
  calendar: PublicCalendar
  logo: Logo | null | undefined
  serviceCount: number
}

/** The page's header: presents the professional or practice that the customer books with. Source: rule W8. */
export function BookingHeader({ calendar, logo, serviceCount }: BookingHeaderProps) {
  const name = professionalName(calendar)
  const initials = calendar.professional_initials
  return (
    <header data-part="header" className="flex flex-wrap gap-4 sm:gap-5">
      {logo ? (
        <img src={logo.url} {...shownSize(logo)} alt="" className="logo" />
      ) : (
        initials && (
          <span aria-hidden="true" className="initials">
            {initials}
          </span>
        )
      )}
      <div className="flex-1 basis-48 lg:basis-full">
        {name !== calendar.calendar_name && (
          <p className="text-ink-soft wrap-anywhere">{calendar.calendar_name}</p>
        )}
        <h1 className="text-3xl leading-tight wrap-anywhere sm:text-4xl lg:text-3xl">{name}</h1>
        {calendar.category && (
          <p className="mt-1 font-semibold wrap-anywhere">{capitalise(calendar.category)}</p>
        )}
        {calendar.calendar_description && (
          <p className="mt-2 max-w-prose text-ink-soft whitespace-pre-line wrap-anywhere">
            {calendar.calendar_description}
          </p>
        )}
        {serviceCount === 0 && calendar.location !== null && (
          <p className="mt-2 text-ink-soft wrap-anywhere">{locationText(calendar)}</p>
        )}
        {serviceCount > 0 && (
          <p className="mt-2 text-sm text-ink-soft">
            {serviceCount} service{serviceCount === 1 ? '' : 's'} available
          </p>
        )}
      </div>
    </header>
  )
}

/** Returns the logo's size in CSS pixels. It is set before the image loads, so that the page does not shift. */
function shownSize({ width, height }: Logo) {
  const scale = Math.min(1, 200 / width, 80 / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
