import { checkColor } from '#core/calendars/page-colors.ts'

type ColorNoteProps = {
  /** Any text while somebody types. */
  color: string
  /** Whether links are in this colour, too. */
  hasLinks: boolean
}

/** What becomes of a colour on the page, while its owner chooses it. Source: rule K2. */
export function ColorNote({ color, hasLinks }: ColorNoteProps) {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null
  const { onColor, contrastOnColor, light, dark, isCorrected } = checkColor(color)
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
      <span
        className="rounded-control border border-line px-3 py-1.5 font-semibold"
        style={{ backgroundColor: color, color: onColor }}
      >
        Text on it
      </span>
      <span>
        The text on it is {onColor === '#ffffff' ? 'white' : 'black'}: contrast {contrastOnColor.toFixed(1)}{' '}
        to 1.
      </span>
      {hasLinks && (
        <span className="flex flex-wrap items-center gap-2">
          <LinkSample color={light} onDark={false} />
          <LinkSample color={dark} onDark />
          {isCorrected
            ? 'Links are a shade of it that can be read by day and by night.'
            : 'Links have this colour by day and by night.'}
        </span>
      )}
    </div>
  )
}

/** Both themes at once, whichever is on. */
function LinkSample({ color, onDark }: { color: string; onDark: boolean }) {
  return (
    <span
      aria-hidden="true"
      className="rounded-control border border-line px-2 py-1 underline underline-offset-4"
      style={{ color, backgroundColor: onDark ? '#162033' : '#faf6ee' }}
    >
      Link
    </span>
  )
}
