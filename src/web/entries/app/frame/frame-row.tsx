import type { ReactNode } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import type { FrameLink } from './frame-links.ts'

/** The CSS classes of a row in the sidebar and behind *More*. A line at its start marks the current page. */
export const ROW_CLASS =
  'relative flex min-h-10 w-full items-center gap-3 rounded-control px-3 py-1.5 text-start text-[0.9375rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 touch:min-h-11 aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink before:absolute before:inset-y-2 before:start-0 before:w-[3px] before:rounded-full aria-[current]:before:bg-noon forced-colors:before:hidden'

type FrameRowProps = {
  link: FrameLink
  current: 'page' | 'true' | undefined
  /** True to show only the icon. The label remains for screen readers and as a tooltip. */
  isIcon?: boolean | undefined
  className?: string | undefined
  onFollow?: ((event: React.MouseEvent<HTMLAnchorElement>) => void) | undefined
  /** Shown after the label, such as a number. */
  children?: ReactNode
}

/** A link of the sidebar or of the sheet behind *More*. */
export function FrameRow({ link, current, isIcon = false, className, onFollow, children }: FrameRowProps) {
  const { label, path, Icon } = link
  return (
    <a
      href={path}
      aria-current={current}
      title={isIcon ? label : undefined}
      onClick={onFollow}
      className={classNames(ROW_CLASS, className)}
    >
      <Icon aria-hidden="true" className="size-5 shrink-0" />
      <span className={isIcon ? 'sr-only' : 'flex-1 whitespace-nowrap'}>{label}</span>
      {children}
    </a>
  )
}
