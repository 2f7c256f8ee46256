import type { ComponentPropsWithRef, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type CardProps = Omit<ComponentPropsWithRef<'section'>, 'title'> & {
  /** The heading of the card. */
  title?: ReactNode
  /** A sentence below the heading. */
  description?: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  headingLevel?: 2 | 3 | undefined
}

/** A card with an optional heading, description and buttons. */
export function Card({
  title,
  description,
  actions,
  headingLevel = 2,
  className,
  children,
  ...rest
}: CardProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3'
  return (
    <section
      className={classNames('rounded-card border border-line bg-surface p-5 shadow-card sm:p-6', className)}
      {...rest}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-4 flex flex-wrap items-center justify-between has-[p]:items-start gap-3">
          <div className="min-w-0">
            {title !== undefined && <Heading className="text-xl font-semibold">{title}</Heading>}
            {description !== undefined && <p className="mt-1 text-ink-soft">{description}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
