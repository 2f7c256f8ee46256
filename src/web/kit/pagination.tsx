import { formatCount } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { ChevronLeft } from '#web/ui/icons/chevron-left.ts'
import { ChevronRight } from '#web/ui/icons/chevron-right.ts'
import { listPageButtons, MAX_PAGE_BUTTONS } from './page-window.ts'

type PaginationProps = { page: number; totalPages: number; onChange: (page: number) => void }

/** Shows the page buttons below a list. Treats a page beyond the end as the last page. */
export function ListPagination({ page, totalPages, onChange }: PaginationProps) {
  if (totalPages <= 1) return null
  return (
    <div className="pt-5">
      <Pagination page={Math.min(page, totalPages)} totalPages={totalPages} onChange={onChange} />
    </div>
  )
}

/**
 * Shows buttons for the previous and next page, at most five page numbers, and the first and last page. Renders nothing if there
 * is only one page (rule W14).
 */
export function Pagination({ page, totalPages, onChange }: PaginationProps) {
  if (totalPages <= 1) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-center gap-0.5 sm:gap-1">
      <Button
        variant="ghost"
        aria-label="Previous page"
        className={ARROW_CLASS}
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
      >
        <ChevronLeft aria-hidden="true" className="size-5 shrink-0 rtl:-scale-x-100" />
      </Button>
      {listPageButtons(page, totalPages).map((number) => (
        <Button
          key={number}
          variant="ghost"
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          className="min-w-8 px-0 tabular-nums sm:min-w-11 aria-[current]:bg-ink aria-[current]:text-on-ink"
          onClick={() => onChange(number)}
        >
          {number}
        </Button>
      ))}
      <Button
        variant="ghost"
        aria-label="Next page"
        className={ARROW_CLASS}
        disabled={page >= totalPages}
        onClick={() => onChange(page + 1)}
      >
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 rtl:-scale-x-100" />
      </Button>
      <div className="mt-1 flex basis-full items-center justify-center gap-2 text-sm text-ink-soft">
        {totalPages > MAX_PAGE_BUTTONS && (
          <Button
            variant="ghost"
            size="sm"
            aria-label="First page"
            disabled={page <= 1}
            onClick={() => onChange(1)}
          >
            First
          </Button>
        )}
        <p role="status" className="tabular-nums">
          Page {formatCount(page)} of {formatCount(totalPages)}
        </p>
        {totalPages > MAX_PAGE_BUTTONS && (
          <Button
            variant="ghost"
            size="sm"
            aria-label="Last page"
            disabled={page >= totalPages}
            onClick={() => onChange(totalPages)}
          >
            Last
          </Button>
        )}
      </div>
    </nav>
  )
}

/** The CSS classes of the arrow buttons. They are narrow, so that seven buttons fit on a 320 px screen at a height of 44 px. */
const ARROW_CLASS = 'min-w-8 px-0 sm:min-w-11'
