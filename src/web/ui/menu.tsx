import { CSPProvider } from '@base-ui/react/csp-provider'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { buttonClass } from './button.tsx'
import { ChevronDown } from './icons/chevron-down.ts'
import { OPTION_CLASS } from './popup-classes.ts'
import { Spinner } from './spinner.tsx'

type MenuList<Id extends string> = {
  items: readonly { readonly id: Id; readonly label: string }[]
  onChoose: (id: Id) => void
}

type MenuProps<Id extends string> = MenuList<Id> & {
  /** The label of the button. */
  label: string
  /** An icon instead of the visible label, which is then the button's accessible name and tooltip. */
  icon?: ReactNode
  /** True while a chosen action is running: the button keeps the focus, shows a spinner, and does not open. */
  pending?: boolean | undefined
  pendingLabel?: string | undefined
  disabled?: boolean | undefined
}

/** A small button that opens a menu of less common actions. */
export function Menu<Id extends string>({
  label,
  icon,
  items,
  onChoose,
  pending = false,
  pendingLabel,
  disabled = false,
}: MenuProps<Id>) {
  const [open, setOpen] = useState(false)
  return (
    <MenuFrame
      items={items}
      onChoose={onChoose}
      open={open && !pending}
      onOpenChange={(next) => setOpen(next && !pending)}
    >
      <BaseMenu.Trigger
        className={
          icon === undefined
            ? buttonClass({ size: 'sm' })
            : buttonClass({ size: 'sm', variant: 'ghost' }, 'min-w-9 px-0! touch:min-w-11')
        }
        disabled={disabled}
        aria-disabled={pending || undefined}
        {...(icon === undefined ? {} : { 'aria-label': label, title: label })}
      >
        {pending && <Spinner />}
        {icon !== undefined && !pending && icon}
        {icon === undefined && (
          <>
            {pending && pendingLabel !== undefined ? pendingLabel : label}
            {!pending && <ChevronDown aria-hidden="true" className="-me-1 size-4" />}
          </>
        )}
      </BaseMenu.Trigger>
    </MenuFrame>
  )
}

type OpenState = { open: boolean; onOpenChange: (open: boolean) => void }

type ClickMenuProps<Id extends string> = MenuList<Id> &
  OpenState & {
    /** The `button` element. The menu ignores its clicks and keys whose default action its own handlers prevent. */
    button: ReactElement
  }

/** A menu that a click on the given button opens, and not already a press, which may begin a drag. */
export function ClickMenu<Id extends string>({ button, ...rest }: ClickMenuProps<Id>) {
  return (
    <MenuFrame {...rest}>
      <BaseMenu.Trigger
        render={button}
        onPointerDown={(event) => event.preventBaseUIHandler()}
        onMouseDown={(event) => event.preventBaseUIHandler()}
        onClick={ignorePrevented}
        onKeyDown={ignorePrevented}
      />
    </MenuFrame>
  )
}

function ignorePrevented(event: { defaultPrevented: boolean; preventBaseUIHandler: () => void }): void {
  if (event.defaultPrevented) event.preventBaseUIHandler()
}

type MenuFrameProps<Id extends string> = MenuList<Id> &
  OpenState & {
    /** The trigger. */
    children: ReactNode
  }

function MenuFrame<Id extends string>({ items, onChoose, open, onOpenChange, children }: MenuFrameProps<Id>) {
  // The popup is rendered next to its button, so that it belongs to the same part of the page.
  const home = useRef<HTMLDivElement>(null)
  return (
    // Base UI would add a <style> element, which the Content-Security-Policy forbids.
    <CSPProvider disableStyleElements>
      <div ref={home} className="inline-flex">
        <BaseMenu.Root modal={false} open={open} onOpenChange={onOpenChange}>
          {children}
          <BaseMenu.Portal container={home}>
            <MenuPopup items={items} onChoose={onChoose} />
          </BaseMenu.Portal>
        </BaseMenu.Root>
      </div>
    </CSPProvider>
  )
}

/** The popup. It exists while the menu is open. */
function MenuPopup<Id extends string>({ items, onChoose }: MenuList<Id>) {
  const [bottomBarPx] = useState(measureBottomBar)
  return (
    <BaseMenu.Positioner
      sideOffset={6}
      align="start"
      collisionPadding={{ top: EDGE_PX, left: EDGE_PX, right: EDGE_PX, bottom: EDGE_PX + bottomBarPx }}
      className="z-30 outline-none"
    >
      <BaseMenu.Popup className="max-w-[var(--available-width)] min-w-[max(var(--anchor-width),13rem)] rounded-control border border-line bg-surface dark:border-line-strong dark:bg-night p-1 text-ink shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0">
        {items.map((item) => (
          <BaseMenu.Item key={item.id} className={OPTION_CLASS} onClick={() => onChoose(item.id)}>
            {item.label}
          </BaseMenu.Item>
        ))}
      </BaseMenu.Popup>
    </BaseMenu.Positioner>
  )
}

/** The popup stays this far from the edges of the window, in pixels. */
const EDGE_PX = 12

/** The height of a bar at the lower edge of the window, in pixels. A page with such a bar scrolls with this padding. */
function measureBottomBar(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0
}
