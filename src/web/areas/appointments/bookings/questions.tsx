import { useQuery } from '@tanstack/react-query'
import type { QuestionsProps } from './question-fields.tsx'

/**
 * Asks the calendar's questions. The code is downloaded only if there are any. A refused booking tries a failed download again,
 * because its key begins like that of the page's data. Source: rule B33.
 */
export function Questions(props: QuestionsProps) {
  const { calendar } = props
  const { data: Fields } = useQuery({
    queryKey: ['booking-page', calendar.slug, 'questions'],
    queryFn: () => import('./question-fields.tsx').then((part) => part.QuestionFields),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: calendar.questions.length > 0,
  })
  return Fields && <Fields {...props} />
}
