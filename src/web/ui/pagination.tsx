import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Button } from './button.tsx'
import { pageWindow } from './page-window.ts'

type PaginationProps = { page: number; totalPages: number; onChange: (page: number) => void }

/** Previous, at most five page numbers, next. Nothing when there is only one page (spec §2 "Appointments"). */
export function Pagination({ page, totalPages, onChange }: PaginationProps) {
  if (totalPages <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-1">
      <Button
        variant="ghost"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
      >
        <ChevronLeft aria-hidden="true" className="size-5 rtl:-scale-x-100" />
      </Button>
      {pageWindow(page, totalPages).map((number) => (
        <Button
          key={number}
          variant="ghost"
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          className="min-w-11 px-0 tabular-nums aria-[current]:bg-ink aria-[current]:text-on-ink"
          onClick={() => onChange(number)}
        >
          {number}
        </Button>
      ))}
      <Button
        variant="ghost"
        aria-label="Next page"
        disabled={page >= totalPages}
        onClick={() => onChange(page + 1)}
      >
        <ChevronRight aria-hidden="true" className="size-5 rtl:-scale-x-100" />
      </Button>
    </nav>
  )
}
