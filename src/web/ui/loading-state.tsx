import { classNames } from './class-names.ts'

/** Shows an animated loading text, which screen readers announce. */
export function LoadingState({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div
      role="status"
      className={classNames('flex flex-col items-center gap-3 px-4 py-10 text-ink-soft', className)}
    >
      <svg viewBox="0 0 120 70" fill="none" aria-hidden="true" className="h-12 w-auto">
        <path d="M4 58h112M60 24v34" stroke="var(--line-strong)" strokeWidth="2" strokeLinecap="round" />
        <circle
          cx="60"
          cy="12"
          r="9"
          fill="var(--noon)"
          className="animate-day [transform-origin:60px_58px]"
        />
      </svg>
      <p>{text}</p>
    </div>
  )
}
