import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { TONE_ICONS, type Tone } from './tones.tsx'

type NoticeProps = {
  tone?: Tone | undefined
  title?: ReactNode
  children?: ReactNode
  /** A button or link at the end of the notice. */
  action?: ReactNode
  /** Set to `alert` or `status` if the notice appears after a user action. */
  role?: 'alert' | 'status' | undefined
  className?: string | undefined
}

/** A message that stays in the page. */
export function Notice({ tone = 'info', title, children, action, role, className }: NoticeProps) {
  const Icon = TONE_ICONS[tone]
  return (
    <div
      role={role}
      className={classNames('flex flex-wrap items-center gap-3 rounded-control p-4', TONES[tone], className)}
    >
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <div className="min-w-0 flex-1">
          {title !== undefined && <p className="font-semibold">{title}</p>}
          {children !== undefined && <div className="text-ink">{children}</div>}
        </div>
      </div>
      {action}
    </div>
  )
}

const TONES: Record<Tone, string> = {
  info: 'bg-info-soft text-info',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}
