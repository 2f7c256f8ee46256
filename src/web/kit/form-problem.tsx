import { Notice } from '#web/ui/notice.tsx'

/** The error of a form that does not belong to a single field. */
export function FormProblem({
  message,
  className,
}: {
  message: string | undefined
  className?: string | undefined
}) {
  if (message === undefined) return null
  return (
    <Notice tone="danger" role="alert" className={className}>
      {message}
    </Notice>
  )
}
