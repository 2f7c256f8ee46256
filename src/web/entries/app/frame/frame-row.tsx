import type { ReactNode } from 'react'
import { ROW_CLASS } from '#web/entries/app/row-class.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { FrameLink } from './frame-links.ts'

/** The CSS classes of a row in the sidebar and behind *More*. */
export const FRAME_ROW_CLASS = classNames(ROW_CLASS, 'min-h-10 py-1.5')

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
      className={classNames(FRAME_ROW_CLASS, className)}
    >
      <Icon aria-hidden="true" className="size-5 shrink-0" />
      <span className={isIcon ? 'sr-only' : 'flex-1 whitespace-nowrap'}>{label}</span>
      {children}
    </a>
  )
}
