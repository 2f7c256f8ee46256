import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { ChevronLeft } from './icons/chevron-left.ts'
import { ChevronRight } from './icons/chevron-right.ts'
import { scrollIntoRowCentre, useHorizontalScroll } from './use-horizontal-scroll.ts'

type TabsProps<Id extends string> = {
  tabs: readonly { id: Id; label: string; panel: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
  /** The accessible name of the tab list. */
  label?: string | undefined
}

/**
 * Tabs. Only the selected panel is rendered. If the tabs do not fit on the screen, they scroll horizontally: the row
 * fades at the edge, has arrow buttons, and keeps the selected tab visible.
 */
export function Tabs<Id extends string>({ tabs, value, onChange, label }: TabsProps<Id>) {
  const row = useRef<HTMLDivElement>(null)
  const { beyond, turn } = useHorizontalScroll(row)
  useChosenInSight(row, value)
  const chosen = tabs.find((tab) => tab.id === value)
  return (
    <BaseTabs.Root value={value} onValueChange={(next: Id) => onChange(next)}>
      <div className="relative border-b border-line">
        <BaseTabs.List
          ref={row}
          aria-label={label}
          className={classNames(
            'relative -mb-px flex scroll-px-12 gap-1 overflow-x-auto overflow-y-hidden [scrollbar-width:none]',
            beyond.left && 'mask-l-from-[calc(100%-5rem)] mask-l-to-[calc(100%-2rem)]',
            beyond.right && 'mask-r-from-[calc(100%-5rem)] mask-r-to-[calc(100%-2rem)]',
          )}
        >
          {/* An invisible bold copy of the label sets each tab's width, so that no tab moves when the selection changes. */}
          {tabs.map((tab) => (
            <BaseTabs.Tab
              key={tab.id}
              value={tab.id}
              data-label={tab.label}
              className="inline-flex flex-col items-center justify-center min-h-11 shrink-0 rounded-t-lg px-3 text-base font-medium whitespace-nowrap text-ink-soft hover:text-ink focus-visible:-outline-offset-2 data-active:font-semibold data-active:text-ink after:invisible after:h-0 after:overflow-hidden after:font-semibold after:content-[attr(data-label)]"
            >
              {tab.label}
            </BaseTabs.Tab>
          ))}
          <BaseTabs.Indicator className="absolute bottom-0 left-0 h-[3px] w-(--active-tab-width) translate-x-(--active-tab-left) rounded-full bg-noon transition-[translate,width] duration-200" />
        </BaseTabs.List>
        {beyond.left && <Turn side="left" onTurn={() => turn('left')} />}
        {beyond.right && <Turn side="right" onTurn={() => turn('right')} />}
      </div>
      {/* Only the selected panel is rendered here, because the library would remove the previous panel in a separate step. */}
      {chosen !== undefined && (
        <BaseTabs.Panel key={chosen.id} value={chosen.id} className="pt-6">
          {chosen.panel}
        </BaseTabs.Panel>
      )}
    </BaseTabs.Root>
  )
}

/**
 * Scrolls the selected tab to the middle of the row: instantly when the page opens or the width changes, smoothly after a
 * selection.
 */
function useChosenInSight(row: { readonly current: HTMLElement | null }, value: string): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const element = row.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      const chosen = chosenIn(element)
      if (chosen !== null) scrollIntoRowCentre(element, chosen, 'instant')
    })
    observer.observe(element)
    // The line below the selected tab is not observed, because its width changes while the row scrolls.
    for (const tab of element.querySelectorAll('[role="tab"]')) observer.observe(tab)
    return () => observer.disconnect()
  }, [row])
  useLayoutEffect(() => {
    const chosen = row.current && chosenIn(row.current)
    if (row.current === null || !chosen) return
    const glides = shown.current !== null && !matchMedia('(prefers-reduced-motion: reduce)').matches
    shown.current = value
    scrollIntoRowCentre(row.current, chosen, glides ? 'smooth' : 'instant')
  }, [row, value])
}

function chosenIn(row: HTMLElement): Element | null {
  return row.querySelector('[role="tab"][aria-selected="true"]')
}

/** An arrow button for mouse and touch. Keyboard users move through the tabs themselves. */
function Turn({ side, onTurn }: { side: 'left' | 'right'; onTurn: () => void }) {
  const Icon = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-hidden="true"
      tabIndex={-1}
      data-turn={side}
      onClick={onTurn}
      className={classNames(
        // `left` and `right` are physical sides of the screen, independent of the text direction.
        'absolute inset-y-0 grid w-11 items-center text-ink-soft hover:text-ink [direction:ltr]',
        side === 'left' ? 'left-0 justify-items-start' : 'right-0 justify-items-end',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  )
}
