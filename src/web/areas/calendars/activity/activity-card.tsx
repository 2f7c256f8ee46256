import { type ReactNode, useRef } from 'react'
import { LoadStatus } from '#web/kit/load-status.tsx'
import { LinePlaceholder, RepeatedPlaceholder } from '#web/kit/loading-shape.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import type { Cursor } from './activity-queries.ts'

type ActivityCardProps = {
  title: string
  description: string
  query: {
    data: { next: string | null } | undefined
    error: Error | null
    refetch: () => unknown
    isPlaceholderData: boolean
  }
  /** The cursors of the pages up to the shown one; empty on the first page. */
  cursors: readonly Cursor[]
  onTurn: (cursors: readonly Cursor[]) => void
  actions?: ReactNode
  children: ReactNode
}

/** A card with a page of a list of events, newest first, and buttons that lead to newer and older ones. */
export function ActivityCard({
  title,
  description,
  query,
  cursors,
  onTurn,
  actions,
  children,
}: ActivityCardProps) {
  const head = useRef<HTMLElement>(null)
  const next = query.data?.next ?? null
  const turn = (to: readonly Cursor[]) => {
    onTurn(to)
    head.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <Card ref={head} title={title} description={description} actions={actions} className="w-full scroll-mt-4">
      <LoadStatus query={query} loading="Loading..." failed="Failed to load the list">
        <RepeatedPlaceholder count={4}>
          <div className="py-3">
            <LinePlaceholder className="w-64" />
            <LinePlaceholder size="sm" className="w-40" />
          </div>
        </RepeatedPlaceholder>
      </LoadStatus>
      {query.data !== undefined && (
        <div aria-busy={query.isPlaceholderData} className="aria-busy:opacity-60">
          {children}
        </div>
      )}
      {(cursors.length > 0 || next !== null) && (
        <nav aria-label="Pages" className="mt-4 flex justify-between gap-3">
          <Button disabled={cursors.length === 0} onClick={() => turn(cursors.slice(0, -1))}>
            Newer
          </Button>
          <Button disabled={next === null} onClick={() => next !== null && turn([...cursors, next])}>
            Older
          </Button>
        </nav>
      )}
    </Card>
  )
}
