import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type BadgeTone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'noon'

type BadgeProps = {
  tone?: BadgeTone | undefined
  className?: string | undefined
  children: ReactNode
}

/** A short status text. The colour only repeats the meaning of the text. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap max-[17rem]:break-words max-[17rem]:whitespace-normal',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
  noon: 'bg-noon text-on-noon',
}
