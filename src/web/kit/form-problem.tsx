import { Notice } from '#web/ui/notice.tsx'

/** Shows an error that concerns the whole form, not a single field. */
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
