import { classNames } from './class-names.ts'

/** The logo's symbol: the day as an arc, the meridian as a line, and the sun where they meet. */
function LogoMark({ className }: { className?: string | undefined }) {
  return (
    <svg
      viewBox="0 7 32 21"
      fill="none"
      aria-hidden="true"
      className={classNames('h-6 w-auto shrink-0', className)}
    >
      <path d="M5 26a11 11 0 0 1 22 0" {...STROKE} />
      <path d="M2 26h28M16 15v11" {...STROKE} />
      <circle cx="16" cy="14" r="5" fill="var(--noon)" />
    </svg>
  )
}

const STROKE = { stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' } as const

/** The logo: symbol and name. */
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-2 font-display text-xl font-semibold tracking-tight text-ink',
        className,
      )}
    >
      <LogoMark />
      Meridian
    </span>
  )
}
