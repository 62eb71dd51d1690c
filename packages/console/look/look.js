// Draws what the pages share, so that each page shows only its own idea: the icons, and the sidebar.

const ICONS = {
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
  check: '<path d="m3 8.5 3.5 3.5L13 5"/>',
  down: '<path d="m4 6 4 4 4-4"/>',
  up: '<path d="m4 10 4-4 4 4"/>',
  right: '<path d="m6 4 4 4-4 4"/>',
  left: '<path d="M10 3 5 8l5 5"/>',
  sliders: '<path d="M2 5h5m4 0h3M2 11h3m4 0h5"/><circle cx="9" cy="5" r="1.7"/><circle cx="7" cy="11" r="1.7"/>',
  rows: '<path d="M2.5 4h11M2.5 8h11M2.5 12h11"/>',
  menu: '<circle cx="4" cy="4" r="1.2"/><circle cx="12" cy="4" r="1.2"/><circle cx="4" cy="12" r="1.2"/><circle cx="12" cy="12" r="1.2"/>',
  code: '<path d="m5 4-4 4 4 4M11 4l4 4-4 4"/>',
  handle: '<path d="M6 4v.01M10 4v.01M6 8v.01M10 8v.01M6 12v.01M10 12v.01"/>',
  more: '<path d="M3.5 8v.01M8 8v.01M12.5 8v.01"/>',
  text: '<path d="M3 4h10M3 8h10M3 12h6"/>',
  quote: '<path d="M4 11c1.5-.5 2.5-2 2.5-4.5H3.5V9H6M10 11c1.5-.5 2.5-2 2.5-4.5h-3V9H12"/>',
  image: '<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="m2.5 11 3.5-3.5 3 3 2-2 2.5 2.5"/>',
  stories: '<rect x="2" y="3" width="5" height="10" rx="1"/><rect x="9" y="3" width="5" height="10" rx="1"/>',
  link: '<path d="M9 3h4v4M13 3 7 9M11 9v3.5a.5.5 0 0 1-.5.5h-7a.5.5 0 0 1-.5-.5v-7a.5.5 0 0 1 .5-.5H7"/>',
  person: '<circle cx="8" cy="5.5" r="2.5"/><path d="M3 13.5c.8-2.5 2.600-3.5 5-3.5s4.200 1 5 3.5"/>',
  clock: '<circle cx="8" cy="8" r="5.5"/><path d="M8 5v3l2 1.5"/>',
  moon: '<path d="M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5Z"/>',
  warn: '<path d="M8 2.5 14.5 13.5h-13ZM8 6.5v3.5M8 12v.01"/>',
}

for (const place of document.querySelectorAll("[data-icon]")) {
  place.outerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true">${ICONS[place.dataset.icon]}</svg>`
}

// In the shop nobody has declared a group or an icon: plain names, in the order of the files.
const SHOP = {
  brand: "Shop",
  groups: { "": ["Addresses", "Customers", "Deliveries", "Order lines", "Orders", "Products", "Warehouses"] },
}
const NEWSROOM = {
  brand: "Newsroom",
  groups: {
    Content: ["Articles", "Pages", "Comments", "Media", "Tags"],
    People: ["Teams", "Users"],
    Site: ["Settings"],
  },
}

for (const sidebar of document.querySelectorAll("[data-sidebar]")) {
  const current = sidebar.dataset.sidebar
  const { brand, groups } = current === "Pages" ? NEWSROOM : SHOP
  const links = Object.entries(groups).map(([group, names]) => {
    const places = names.map(
      (name) => `<a class="place" href="plain-list.html"${name === current ? ' aria-current="page"' : ""}>${name}</a>`,
    )
    return `${group && `<h2>${group}</h2>`}${places.join("")}`
  })
  sidebar.outerHTML = `<nav class="sidebar" aria-label="Places">
    <div class="brand"><span class="brand-mark">${brand[0].toLowerCase()}</span>${brand}</div>
    <button class="jump" type="button"><svg viewBox="0 0 16 16" aria-hidden="true">${ICONS.search}</svg>Search or jump <kbd>⌘K</kbd></button>
    ${links.join("")}
    <div class="account"><span class="initials" style="--mark: var(--teal)">AK</span><span>Anna Kováč<small>admin</small></span></div>
  </nav>`
}

const theme = new URLSearchParams(location.search).get("theme")
if (theme) document.documentElement.dataset.theme = theme
