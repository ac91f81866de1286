// `npm run timeline` writes this file from `src/forecast/page/browser`.

/** The program of the page. */
export const SCRIPT = `"use strict";
(() => {
  var PHASES = {
    pending: { label: "waits to begin", isActive: false },
    jobs: { label: "cordoned, waits for jobs", isActive: true },
    drain: { label: "drained", isActive: true },
    restart: { label: "driver restarts", isActive: true },
    validation: { label: "validated", isActive: true },
    uncordon: { label: "uncordoned", isActive: true },
    maintenance: { label: "with the Maintenance Operator", isActive: true },
    failed: { label: "failed", isActive: false }
  };

  function activeSpan(segments) {
    const active = segments.filter(({ phase }) => PHASES[phase].isActive);
    const [first, last] = [active[0], active.at(-1)];
    return first === void 0 || last === void 0 ? void 0 : { fromMs: first.fromMs, toMs: last.toMs };
  }

  function element(tag, attributes = {}, ...children) {
    return filled(document.createElement(tag), attributes, children);
  }
  function drawing(tag, attributes = {}, ...children) {
    return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  }
  function filled(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) if (value !== void 0) made.setAttribute(name, value);
    for (const child of children) if (child !== void 0) made.append(child);
    return made;
  }
  function place(made, from, to) {
    made.style.left = \`\${(from * 100).toFixed(3)}%\`;
    made.style.width = \`\${(Math.max(0, to - from) * 100).toFixed(3)}%\`;
  }

  function makeClock(isUtc) {
    const zone = isUtc ? { timeZone: "UTC" } : {};
    const parts = new Intl.DateTimeFormat("sv-SE", {
      ...zone,
      ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" }
    });
    const days = new Intl.DateTimeFormat("en-GB", { ...zone, day: "numeric", month: "short" });
    const text = (ms) => parts.format(ms);
    return {
      full: (ms) => text(ms).slice(0, 16),
      short: (ms) => text(ms).slice(11, 16),
      precise: (ms) => text(ms).slice(11),
      day: (ms) => days.format(ms),
      offsetMs: (ms) => Date.parse(\`\${text(ms).replace(" ", "T")}Z\`) - Math.floor(ms / 1e3) * 1e3,
      name: isUtc ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone
    };
  }
  function lengthText(ms) {
    const seconds = ms < 6e5 ? Math.round(ms / 1e3) : Math.round(ms / 6e4) * 60;
    const [days, hours, minutes] = [
      Math.floor(seconds / 86400),
      Math.floor(seconds / 3600) % 24,
      Math.floor(seconds / 60) % 60
    ];
    const parts = [
      days > 0 ? \`\${days}d\` : "",
      hours > 0 ? \`\${hours}h\` : "",
      minutes > 0 && days === 0 ? \`\${minutes}m\` : "",
      seconds % 60 > 0 && hours === 0 && days === 0 ? \`\${seconds % 60}s\` : ""
    ].join("");
    return parts === "" ? "0s" : parts;
  }

  var MINUTE = 6e4;
  var HOUR = 60 * MINUTE;
  var GAP_MIN_MS = HOUR;
  var GAP_SHARE = 0.04;
  function makeScale(timeline2) {
    const spans = spansOf(timeline2);
    const drawnMs = spans.reduce((sum, one) => sum + (one.isGap ? 0 : one.toMs - one.fromMs), 0);
    const weights = spans.map((one) => one.isGap ? Math.max(drawnMs * GAP_SHARE, 1) : one.toMs - one.fromMs);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let left = 0;
    const pieces = spans.map((span, index) => {
      const right = left + (weights[index] ?? 0) / total;
      const piece = { ...span, left, right };
      left = right;
      return piece;
    });
    return {
      pieces,
      at: (ms) => {
        const piece = pieces.find(({ toMs }) => ms <= toMs);
        if (piece === void 0) return 1;
        const share = Math.max(0, ms - piece.fromMs) / (piece.toMs - piece.fromMs);
        return piece.left + share * (piece.right - piece.left);
      },
      msAt: (share) => {
        const piece = pieces.find(({ right }) => share <= right) ?? pieces[pieces.length - 1];
        if (piece === void 0) return timeline2.fromMs;
        return piece.fromMs + (share - piece.left) / (piece.right - piece.left) * (piece.toMs - piece.fromMs);
      }
    };
  }
  function spansOf({ rows, fromMs, toMs }) {
    const active = rows.flatMap(({ segments }) => activeSpan(segments) ?? []).sort((a, b) => a.fromMs - b.fromMs);
    const spans = [];
    let atMs = fromMs;
    const gapMs = Math.max(GAP_MIN_MS, (toMs - fromMs) / 50);
    const draw = (untilMs) => {
      if (untilMs <= atMs) return;
      const last = spans[spans.length - 1];
      if (last !== void 0 && !last.isGap) spans[spans.length - 1] = { ...last, toMs: untilMs };
      else spans.push({ fromMs: atMs, toMs: untilMs, isGap: false });
      atMs = untilMs;
    };
    const skip = (untilMs) => {
      if (active.length === 0 || untilMs - atMs < gapMs) return draw(untilMs);
      spans.push({ fromMs: atMs, toMs: untilMs, isGap: true });
      atMs = untilMs;
    };
    for (const one of active) {
      if (one.fromMs > atMs) skip(Math.min(one.fromMs, toMs));
      draw(Math.min(one.toMs, toMs));
    }
    skip(toMs);
    return spans;
  }
  var STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);
  var TICK_PIXELS = 96;
  function ticksOf({ pieces }, width, offsetMs) {
    return pieces.flatMap((piece) => {
      if (piece.isGap) return [];
      const room = Math.max(1, (piece.right - piece.left) * width / TICK_PIXELS);
      const step = STEPS.find((one) => (piece.toMs - piece.fromMs) / one <= room) ?? 7 * 1440 * MINUTE;
      const offset = offsetMs(piece.fromMs);
      const ticks = [];
      for (let ms = Math.ceil((piece.fromMs + offset) / step) * step - offset; ms <= piece.toMs; ms += step)
        ticks.push(ms);
      return ticks;
    });
  }

  var MARK_PIXELS = 44;
  function axisMarks({ scale: scale2, clock }, width) {
    let day = "";
    const hasRoom = (ms) => {
      const piece = scale2.pieces.find(({ isGap, fromMs, toMs }) => !isGap && fromMs <= ms && ms <= toMs);
      return piece !== void 0 && (piece.right - scale2.at(ms)) * width > MARK_PIXELS;
    };
    const ticks = ticksOf(scale2, width, clock.offsetMs).filter(hasRoom);
    const marks = ticks.map((ms) => {
      const today = clock.day(ms);
      const isNew = today !== day;
      day = today;
      const mark = element("span", { class: "mark" }, isNew ? element("b", {}, \`\${today} \`) : void 0, clock.short(ms));
      mark.style.left = \`\${(scale2.at(ms) * 100).toFixed(3)}%\`;
      return mark;
    });
    const gaps = scale2.pieces.filter(({ isGap, left, right }) => isGap && (right - left) * width > MARK_PIXELS);
    return [
      ...marks,
      ...gaps.map((gap) => {
        const text = lengthText(gap.toMs - gap.fromMs);
        const title = \`\${text} without a node in progress: \${clock.full(gap.fromMs)} to \${clock.full(gap.toMs)}\`;
        const mark = element("span", { class: "gap-mark", title }, text);
        place(mark, gap.left, gap.right);
        return mark;
      })
    ];
  }
  function background({ timeline: timeline2, scale: scale2, clock }, width) {
    const layer = element("div", { class: "background", "aria-hidden": "true" });
    const band = (name, fromMs, toMs) => {
      const [from, to] = [scale2.at(Math.max(fromMs, timeline2.fromMs)), scale2.at(Math.min(toMs, timeline2.toMs))];
      if (to <= from) return;
      const made = element("div", { class: \`band \${name}\` });
      place(made, from, to);
      layer.append(made);
    };
    if (timeline2.windows.length > 0) {
      let closedMs = timeline2.fromMs;
      for (const { fromMs, toMs } of timeline2.windows) {
        if (fromMs > closedMs) band("closed", closedMs, fromMs);
        closedMs = Math.max(closedMs, toMs);
      }
      if (closedMs < timeline2.toMs) band("closed", closedMs, timeline2.toMs);
      for (const { fromMs, toMs } of timeline2.windows) band("window", fromMs, toMs);
    }
    for (const { fromMs, toMs } of timeline2.soaks) band("soak", fromMs, toMs);
    for (const { isGap, fromMs, toMs } of scale2.pieces) if (isGap) band("gap", fromMs, toMs);
    for (const ms of ticksOf(scale2, width, clock.offsetMs)) {
      const line = element("div", { class: "line" });
      line.style.left = \`\${(scale2.at(ms) * 100).toFixed(3)}%\`;
      layer.append(line);
    }
    return layer;
  }
  function curvesOf({ timeline: timeline2 }, activeSpans) {
    const changes = activeSpans.flatMap(({ fromMs, toMs }) => [
      { atMs: fromMs, change: 1 },
      { atMs: toMs, change: -1 }
    ]).sort((a, b) => a.atMs - b.atMs || a.change - b.change);
    let count = 0;
    const points = [
      { atMs: timeline2.fromMs, count: 0 },
      ...changes.map(({ atMs, change: change2 }) => ({ atMs, count: count += change2 }))
    ];
    const curve = (name, all, limit) => ({
      ...{ name, points: all, limit },
      most: all.reduce((most, one) => Math.max(most, one.count), 0)
    });
    const pods2 = curve("pods without a node", timeline2.podsWithoutNode, null);
    return [curve("nodes in progress", points, timeline2.nodesAtOnce), ...pods2.most > 0 ? [pods2] : []];
  }
  function countAt({ points }, ms) {
    let count = 0;
    for (const point of points) {
      if (point.atMs > ms) break;
      count = point.count;
    }
    return count;
  }
  var HEIGHT = 100;
  function curveDrawing(curve, { timeline: timeline2, scale: scale2 }) {
    const top = Math.max(curve.most, curve.limit ?? 0, 1) * 1.08;
    const y = (count) => (HEIGHT - count / top * HEIGHT).toFixed(1);
    const x = (ms) => (scale2.at(ms) * 1e3).toFixed(1);
    const steps = curve.points.map(({ atMs, count }) => \`H\${x(atMs)}V\${y(count)}\`).join("");
    const area = \`M0,\${HEIGHT}\${steps}H\${x(timeline2.toMs)}V\${HEIGHT}Z\`;
    const { limit } = curve;
    return drawing(
      "svg",
      { viewBox: \`0 0 1000 \${HEIGHT}\`, preserveAspectRatio: "none", "aria-hidden": "true" },
      drawing("path", { class: "area", d: area }),
      limit === null ? void 0 : drawing("path", { class: "limit", d: \`M0,\${y(limit)}H1000\` })
    );
  }

  function groupBy(items, keyOf) {
    const groups = /* @__PURE__ */ new Map();
    for (const item of items) {
      const key = keyOf(item);
      const group = groups.get(key);
      if (group === void 0) groups.set(key, [item]);
      else group.push(item);
    }
    return groups;
  }

  function counted(count, one, many = \`\${one}s\`) {
    return \`\${count} \${count === 1 ? one : many}\`;
  }

  var OUTCOMES = {
    upgraded: "upgraded",
    failed: "failed",
    "in-progress": "does not come through",
    waiting: "does not begin"
  };
  function phaseText(phase) {
    return PHASES[phase].label;
  }
  function placeText({ pool, topologyDomain }) {
    return [pool, topologyDomain].filter((part) => part !== "").join(" \\xB7 ");
  }
  function spanText(row, { clock }) {
    const span = activeSpan(row.segments);
    if (span === void 0) return OUTCOMES[row.outcome];
    const isEnded = row.outcome === "upgraded" || row.outcome === "failed";
    const begin = clock.full(span.fromMs);
    return isEnded ? \`\${OUTCOMES[row.outcome]}: \${begin} to \${clock.short(span.toMs)}, \${lengthText(span.toMs - span.fromMs)}\` : \`\${OUTCOMES[row.outcome]}: since \${begin}\`;
  }
  function obstaclesOf({ node }, { timeline: timeline2 }) {
    return timeline2.obstacles.filter(({ nodes }) => nodes.includes(node));
  }
  function rowLabel(row, view2) {
    const parts = [
      row.node,
      placeText(row),
      spanText(row, view2),
      row.wave === null ? "" : \`wave \${row.wave}\`,
      row.reason,
      row.evicted.length === 0 ? "" : \`\${row.evicted.length} pods evicted\`,
      ...obstaclesOf(row, view2).map(({ text }) => text)
    ];
    return parts.filter((part) => part !== "").join("; ");
  }
  function isShown(row, { query, outcome, pool, nodes }) {
    if (nodes !== void 0 && !nodes.has(row.node)) return false;
    if (outcome !== "" && row.outcome !== outcome) return false;
    if (pool !== "" && row.pool !== pool) return false;
    const words = query.toLowerCase().split(/\\s+/).filter((word) => word !== "");
    if (words.length === 0) return true;
    const text = [row.node, row.pool, row.topologyDomain, row.outcome, row.reason, ...row.evicted].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  }

  function makeRows(view2) {
    const groups = groupsOf(view2);
    const list = element("div", { class: "rows", role: "listbox", tabindex: "0", id: "rows", "aria-label": "Nodes" });
    for (const { made } of groups) list.append(made);
    const all = groups.flatMap(({ rows }) => rows);
    return {
      ...{ list, all },
      filter: () => {
        for (const { made, count, rows } of groups) {
          let shown2 = 0;
          for (const one of rows) {
            const isHit = isShown(one.row, view2.choice);
            one.made.hidden = !isHit;
            if (isHit) shown2 += 1;
          }
          made.hidden = shown2 === 0;
          const total = counted(rows.length, "node");
          count.textContent = shown2 === rows.length ? total : \`\${shown2} of \${total}\`;
        }
        return all.filter(({ made }) => !made.hidden);
      }
    };
  }
  function groupsOf(view2) {
    const { timeline: timeline2, choice: choice2 } = view2;
    const isByPlace = choice2.order === "place";
    const nameOf = (row) => isByPlace ? placeText(row) || "all nodes" : row.wave === null ? "never begins" : \`wave \${row.wave}\`;
    const byName = groupBy(timeline2.rows, nameOf);
    const names = [...byName.keys()];
    if (isByPlace) names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    let index = 0;
    return names.map((name) => {
      const rows = (byName.get(name) ?? []).map((row) => ({ row, made: rowElement(row, view2, index++) }));
      const count = element("span", { class: "count" });
      const made = element(
        "div",
        { class: "group", role: "group", "aria-label": name },
        element("div", { class: "group-name", role: "presentation" }, element("span", { title: name }, name), count),
        ...rows.map((one) => one.made)
      );
      return { name, made, count, rows };
    });
  }
  function rowElement(row, view2, index) {
    const isStuck = row.outcome !== "upgraded";
    const name = element("span", { class: "name", title: row.node }, row.node);
    const label = element(
      "span",
      { class: "label" },
      isStuck ? element("span", { class: "sign" }, "\\u2715") : void 0,
      name
    );
    const track = element("span", { class: "track" }, ...bars(row, view2));
    return element(
      "div",
      {
        ...{ class: \`row \${row.outcome}\`, role: "option", id: \`row-\${index}\`, "aria-selected": "false" },
        "aria-label": rowLabel(row, view2)
      },
      label,
      track
    );
  }
  function bars(row, { scale: scale2, clock }) {
    const made = row.segments.map((segment) => {
      const { phase, fromMs, toMs } = segment;
      const title = \`\${phaseText(phase)}: \${clock.full(fromMs)} to \${clock.full(toMs)}, \${lengthText(toMs - fromMs)}\`;
      const bar = element("span", { class: \`bar \${phase}\`, title });
      place(bar, scale2.at(fromMs), scale2.at(toMs));
      return bar;
    });
    const active = activeSpan(row.segments);
    if (row.outcome === "upgraded" && active !== void 0) {
      const end = element("span", { class: "end", title: \`done: \${clock.full(active.toMs)}\` });
      end.style.left = \`\${(scale2.at(active.toMs) * 100).toFixed(3)}%\`;
      made.push(end);
    }
    return made;
  }

  function makeChart(view2) {
    const rows = makeRows(view2);
    const spans = rows.all.flatMap(({ row }) => activeSpan(row.segments) ?? []);
    const curves = curvesOf(view2, spans);
    const marks = element("div", { class: "marks" });
    const axis = element("div", { class: "axis" }, element("div", { class: "label" }, view2.clock.name), marks);
    const lines = curves.map((curve) => curveRow(curve, view2));
    const head = element("div", { class: "head", "aria-hidden": "true" }, ...lines.map(({ made: made2 }) => made2), axis);
    const cursor = element("div", { class: "cursor", "aria-hidden": "true", hidden: "" });
    const plot = element("div", { class: "plot" }, head, rows.list, cursor);
    const made = element("div", { class: "chart" }, plot);
    followPointer({ plot, marks, cursor, lines }, view2);
    let layer;
    const resize = () => {
      plot.style.setProperty("--zoom", String(view2.choice.zoom));
      const width = Math.max(200, marks.clientWidth);
      marks.replaceChildren(...axisMarks(view2, width));
      layer?.remove();
      layer = background(view2, width);
      plot.prepend(layer);
    };
    return { made, rows, resize };
  }
  function curveRow(curve, view2) {
    const now = element("span", { class: "count" }, mostText(curve));
    const label = element("div", { class: "label" }, element("span", {}, curve.name), now);
    const made = element("div", { class: "curve" }, label, element("div", { class: "track" }, curveDrawing(curve, view2)));
    return { curve, made, now };
  }
  function mostText({ most, limit }) {
    return limit === null ? \`at most \${most}\` : \`at most \${most} of \${limit}\`;
  }
  function followPointer({
    plot,
    marks,
    cursor,
    lines
  }, { scale: scale2, clock }) {
    const hide = () => {
      cursor.hidden = true;
      for (const { curve, now } of lines) now.textContent = mostText(curve);
    };
    plot.addEventListener("pointermove", (event) => {
      const box = marks.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      if (share < 0 || share > 1) return hide();
      const ms = scale2.msAt(share);
      cursor.hidden = false;
      cursor.style.left = \`\${event.clientX - plot.getBoundingClientRect().left}px\`;
      cursor.dataset["time"] = clock.full(ms);
      for (const { curve, now } of lines) now.textContent = String(countAt(curve, ms));
    });
    plot.addEventListener("pointerleave", hide);
  }

  var ZOOMS = [1, 2, 4, 8, 16];
  function makeControls({ rows }, choice2, changed) {
    const search = searchField(choice2, changed);
    const outcome = outcomeSelect(rows, choice2, changed);
    const pools = [...new Set(rows.map((row) => row.pool))].filter((name) => name !== "").sort();
    const pool = select("Pool", [["", "every pool"], ...pools.map((name) => [name, name])], (value) => {
      choice2.pool = value;
      changed("filter");
    });
    const reset = button("show all", "Show all nodes", () => {
      Object.assign(choice2, { query: "", outcome: "", pool: "", nodes: void 0 });
      changed("filter");
    });
    const status = element("span", { class: "status", role: "status" });
    const filters = [search, outcome, ...pools.length > 1 ? [pool] : []];
    const bar = element("div", { class: "controls" }, ...filters, ...looks(choice2, changed), reset, status);
    return {
      ...{ bar, search, status },
      update: () => {
        search.value = choice2.query;
        outcome.value = choice2.outcome;
        pool.value = choice2.pool;
        const isWhole = choice2.query === "" && choice2.outcome === "" && choice2.pool === "" && choice2.nodes === void 0;
        reset.hidden = isWhole;
      }
    };
  }
  function searchField(choice2, changed) {
    const made = element("input", {
      ...{ type: "search", placeholder: "node, pool, pod \\u2026 ( / )", "aria-label": "Search nodes, pools and pods" }
    });
    made.addEventListener("input", () => {
      choice2.query = made.value;
      changed("filter");
    });
    return made;
  }
  function outcomeSelect(rows, choice2, changed) {
    const counts = /* @__PURE__ */ new Map();
    for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const options = [...counts].map(([name, count]) => [name, \`\${OUTCOMES[name]} (\${count})\`]);
    return select("Outcome", [["", "every outcome"], ...options], (value) => {
      choice2.outcome = value;
      changed("filter");
    });
  }
  function looks(choice2, changed) {
    const orders = [
      ["place", "by pool and rack"],
      ["wave", "by wave"]
    ];
    const order = select("Groups", orders, (value) => {
      choice2.order = value === "wave" ? "wave" : "place";
      changed("all");
    });
    const zones = [
      ["utc", "UTC"],
      ["local", "local time"]
    ];
    const zone = select("Time zone", zones, (value) => {
      choice2.isUtc = value === "utc";
      changed("all");
    });
    const themes = [
      ["auto", "system theme"],
      ["light", "light"],
      ["dark", "dark"]
    ];
    const theme = select("Theme", themes, (value) => {
      choice2.theme = value;
      changed("theme");
    });
    return [order, zoomButtons(choice2, changed), zone, theme];
  }
  function zoomButtons(choice2, changed) {
    const step = (by) => () => {
      const index = ZOOMS.indexOf(choice2.zoom) + by;
      choice2.zoom = ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, index))] ?? 1;
      changed("zoom");
    };
    return element("span", { class: "zoom" }, button("\\u2212", "Zoom out", step(-1)), button("+", "Zoom in", step(1)));
  }
  function button(text, label, click) {
    const made = element("button", { type: "button", "aria-label": label, title: label }, text);
    made.addEventListener("click", click);
    return made;
  }
  function select(label, options, change2) {
    const made = element(
      "select",
      { "aria-label": label, title: label },
      ...options.map(([value, text]) => element("option", { value }, text))
    );
    made.addEventListener("change", () => change2(made.value));
    return made;
  }
  function legend({ rows, windows, soaks, nodesAtOnce }) {
    const used = new Set(rows.flatMap(({ segments }) => segments.map(({ phase }) => phase)));
    const entry = (name, text) => element("li", {}, element("span", { class: \`swatch \${name}\` }), text);
    return element(
      "ul",
      { class: "legend", "aria-label": "Legend" },
      ...Object.keys(PHASES).filter((phase) => used.has(phase)).map((phase) => entry(phase, phaseText(phase))),
      windows.length > 0 ? entry("window", "maintenance window") : void 0,
      windows.length > 0 ? entry("closed", "no window is open") : void 0,
      soaks.length > 0 ? entry("soak", "canaries soak") : void 0,
      nodesAtOnce === null ? void 0 : entry("limit", \`limit: \${nodesAtOnce} nodes at once\`)
    );
  }

  function detailsOf(row, view2, close2) {
    const button2 = element("button", { type: "button", class: "close", "aria-label": "Close the details" }, "\\u2715");
    button2.addEventListener("click", close2);
    return [
      element("div", { class: "details-head" }, element("h2", {}, row.node), button2),
      element(
        "dl",
        {},
        ...facts(row, view2).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])
      ),
      ...obstaclesOf(row, view2).map(
        ({ isStuck, text, help }) => element(
          "p",
          { class: isStuck ? "obstacle stuck" : "obstacle" },
          element("strong", {}, isStuck ? "stuck: " : "note: "),
          text,
          element("span", { class: "help" }, help)
        )
      ),
      ...phases(row),
      ...history(row, view2),
      ...pods(row)
    ];
  }
  function facts(row, { clock }) {
    const { driver, wave, reason, outcome } = row;
    const span = activeSpan(row.segments);
    const all = [
      ["outcome", OUTCOMES[outcome]],
      ["begins", span && clock.full(span.fromMs)],
      ["ends", span && (outcome === "upgraded" || outcome === "failed") ? clock.full(span.toMs) : void 0],
      ["takes", span && outcome === "upgraded" ? lengthText(span.toMs - span.fromMs) : void 0],
      ["wave", wave === null ? void 0 : String(wave)],
      [span === void 0 ? "why not" : "why then", reason],
      ["pool", placeText(row)],
      ["driver", driver]
    ];
    return all.flatMap(([name, value]) => value === void 0 || value === "" ? [] : [[name, value]]);
  }
  function phases({ segments }) {
    const active = segments.filter(({ phase }) => phase !== "pending" && phase !== "failed");
    if (active.length === 0) return [];
    return [
      element(
        "ul",
        { class: "phases" },
        ...active.map(
          ({ phase, fromMs, toMs }) => element(
            "li",
            {},
            element("span", { class: \`swatch \${phase}\` }),
            \`\${phaseText(phase)}: \${lengthText(toMs - fromMs)}\`
          )
        )
      )
    ];
  }
  function history({ history: events }, { clock }) {
    if (events.length === 0) return [];
    return [
      element("h3", {}, "What happens"),
      element(
        "ol",
        { class: "history" },
        ...events.map(
          ({ atMs, text }) => element(
            "li",
            {},
            element("time", { datetime: new Date(atMs).toISOString() }, clock.precise(atMs)),
            element("span", {}, text)
          )
        )
      )
    ];
  }
  function pods({ evicted }) {
    if (evicted.length === 0) return [];
    return [
      element("h3", {}, \`\${counted(evicted.length, "pod is", "pods are")} evicted\`),
      element("ul", { class: "pods" }, ...evicted.map((pod) => element("li", {}, pod)))
    ];
  }

  function obstacleSection({ obstacles }, show) {
    if (obstacles.length === 0) return void 0;
    return element(
      "section",
      { class: "obstacles" },
      element("h2", {}, "In the way"),
      element(
        "ul",
        {},
        ...obstacles.map(
          (one) => element("li", { class: one.isStuck ? "obstacle stuck" : "obstacle" }, ...obstacle(one, show))
        )
      )
    );
  }
  function obstacle({ kind, isStuck, nodes, text, help }, show) {
    const fact = element(
      "div",
      {},
      element("strong", {}, \`\${isStuck ? "stuck" : "note"}: \${kind}\`),
      " ",
      text,
      element("span", { class: "help" }, help)
    );
    if (nodes.length === 0) return [fact];
    const named = nodes.length === 1 ? \`show \${nodes[0] ?? ""}\` : \`show \${nodes.length} nodes\`;
    const made = element("button", { type: "button", title: nodes.join(", ") }, named);
    made.addEventListener("click", () => show(nodes));
    return [fact, made];
  }
  function tableSection(view2) {
    const made = element("details", { class: "table" }, element("summary", {}, "All nodes as a table"));
    made.addEventListener("toggle", () => {
      made.querySelector("table")?.remove();
      if (made.open) made.append(table(view2()));
    });
    return made;
  }
  var HEADINGS = ["node", "pool", "topology domain", "wave", "outcome", "begins", "ends", "why", "evicted pods"];
  function table({ timeline: timeline2, clock }) {
    const head = element("tr", {}, ...HEADINGS.map((text) => element("th", { scope: "col" }, text)));
    const body = timeline2.rows.map((row) => {
      const span = activeSpan(row.segments);
      const isEnded = row.outcome === "upgraded" || row.outcome === "failed";
      const cells = [
        ...[row.pool, row.topologyDomain, row.wave === null ? "" : String(row.wave), OUTCOMES[row.outcome]],
        ...[
          span === void 0 ? "" : clock.full(span.fromMs),
          span !== void 0 && isEnded ? clock.full(span.toMs) : ""
        ],
        ...[row.reason, row.evicted.join(", ")]
      ];
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, row.node),
        ...cells.map((text) => element("td", {}, text))
      );
    });
    const caption = element("caption", {}, \`\${timeline2.title}, times in \${clock.name}\`);
    return element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...body));
  }
  function noteSections({ notes }) {
    return notes.map(
      ({ heading, lines }) => element(
        "section",
        { class: "notes" },
        element("h2", {}, heading),
        element("ul", {}, ...lines.map((line) => element("li", {}, line)))
      )
    );
  }

  var timeline = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
  var choice = {
    ...{ query: "", outcome: "", pool: "", order: "place", zoom: 1, isUtc: true, theme: "auto", nodes: void 0 }
  };
  var scale = makeScale(timeline);
  var makeView = () => ({ timeline, scale, choice, clock: makeClock(choice.isUtc) });
  var view = makeView();
  var chart = makeChart(view);
  var shown = [];
  var selected;
  var details = element("aside", { class: "details", "aria-label": "Details of the node", tabindex: "-1", hidden: "" });
  var controls = makeControls(timeline, choice, change);
  var table2 = tableSection(() => view);
  var home = element("div", { class: "home" }, chart.made, details);
  function change(what) {
    if (what === "theme") {
      document.documentElement.dataset["theme"] = choice.theme;
      return;
    }
    if (what === "all") redraw();
    if (what === "zoom") chart.resize();
    else filter();
  }
  function redraw() {
    const node = selected?.row;
    view = makeView();
    const next = makeChart(view);
    chart.made.replaceWith(next.made);
    chart = next;
    chart.resize();
    listen();
    selected = void 0;
    const found = chart.rows.all.find(({ row }) => row === node);
    if (found !== void 0) select2(found);
    if (table2.open) table2.dispatchEvent(new Event("toggle"));
  }
  function filter() {
    shown = chart.rows.filter();
    const { length } = timeline.rows;
    controls.status.textContent = shown.length === length ? \`\${length} nodes\` : \`\${shown.length} of \${length} nodes\`;
    controls.update();
    if (selected !== void 0 && selected.made.hidden) close();
  }
  function select2(one) {
    selected?.made.setAttribute("aria-selected", "false");
    selected = one;
    one.made.setAttribute("aria-selected", "true");
    chart.rows.list.setAttribute("aria-activedescendant", one.made.id);
    details.replaceChildren(...detailsOf(one.row, view, close));
    details.scrollTop = 0;
    showDetails(true);
    one.made.scrollIntoView({ block: "nearest" });
  }
  function close() {
    selected?.made.setAttribute("aria-selected", "false");
    selected = void 0;
    chart.rows.list.removeAttribute("aria-activedescendant");
    showDetails(false);
  }
  function showDetails(isShown2) {
    if (details.hidden === !isShown2) return;
    details.hidden = !isShown2;
    home.classList.toggle("with-details", isShown2);
    chart.resize();
  }
  var PAGE = 10;
  function target(key) {
    const at = selected === void 0 ? -1 : shown.indexOf(selected);
    const last = shown.length - 1;
    const steps = {
      ...{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last, PageDown: at + PAGE, PageUp: at - PAGE },
      ...{ Enter: at, " ": at }
    };
    const index = steps[key];
    return index === void 0 ? void 0 : shown[Math.min(last, Math.max(0, index))];
  }
  function listen() {
    const { list } = chart.rows;
    list.addEventListener("keydown", (event) => {
      if (event.key === "Escape") return close();
      const row = event.ctrlKey || event.metaKey || event.altKey ? void 0 : target(event.key);
      if (row === void 0) return;
      event.preventDefault();
      select2(row);
    });
    list.addEventListener("click", (event) => {
      const made = event.target instanceof Element ? event.target.closest("[role=option]") : null;
      const row = chart.rows.all.find((one) => one.made === made);
      if (row !== void 0) select2(row);
    });
  }
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    controls.search.focus();
  });
  document.body.append(
    element(
      "main",
      {},
      element("h1", {}, timeline.title),
      element("ul", { class: "summary" }, ...timeline.summary.map((line) => element("li", {}, line))),
      obstacleSection(timeline, (nodes) => {
        Object.assign(choice, { query: "", outcome: "", pool: "", nodes: new Set(nodes) });
        filter();
        const [first] = shown;
        if (first !== void 0) select2(first);
        chart.rows.list.focus();
      }),
      controls.bar,
      legend(timeline),
      home,
      element(
        "p",
        { class: "keys" },
        "Keys: / searches, arrows move between nodes and show what happens to each, Esc closes."
      ),
      table2,
      ...noteSections(timeline)
    )
  );
  chart.resize();
  listen();
  filter();
  window.addEventListener("resize", () => chart.resize());
  window.addEventListener("beforeprint", () => table2.open = true);
})();
`;

/** Its style. */
export const STYLE = `:root {
  color-scheme: light dark;
  --bg: light-dark(#ffffff, #0f1419);
  --panel: light-dark(#f5f7f9, #171d24);
  --text: light-dark(#1a2129, #e3e8ee);
  --muted: light-dark(#56616d, #9aa7b4);
  --line: light-dark(#dfe4e9, #2a333d);
  --accent: light-dark(#0a5cc2, #6cb2ff);
  --pending: light-dark(#c9d1d9, #3a444f);
  --jobs: light-dark(#7d8a98, #8795a4);
  --drain: light-dark(#d9730d, #f0a04b);
  --restart: light-dark(#1f6feb, #5aa2ff);
  --validation: light-dark(#8250df, #b794f6);
  --uncordon: light-dark(#0e8a7d, #3fc7b7);
  --maintenance: light-dark(#8a6d3b, #c9a86a);
  --failed: light-dark(#c9252d, #ff7b72);
  --done: light-dark(#1a7f37, #56d364);
  --window: light-dark(#1a7f3714, #56d36414);
  --closed: light-dark(#1a21290d, #ffffff0a);
  --soak: light-dark(#8250df1c, #b794f624);
  --label: 15rem;
  font:
    14px/1.45 system-ui,
    'Segoe UI',
    Roboto,
    'Helvetica Neue',
    Arial,
    sans-serif;
}
:root[data-theme='light'] {
  color-scheme: light;
}
:root[data-theme='dark'] {
  color-scheme: dark;
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
body {
  margin: 0;
  background: var(--bg);
  color: var(--text);
}
main {
  padding: 1.25rem 1.5rem 3rem;
}
h1 {
  font-size: 1.45rem;
  margin: 0 0 0.4rem;
  overflow-wrap: anywhere;
}
h2 {
  font-size: 1.05rem;
  margin: 1.5rem 0 0.5rem;
}
h3 {
  font-size: 0.8rem;
  margin: 1rem 0 0.3rem;
  color: var(--muted);
  text-transform: uppercase;
  letter-spacing: 0.04em;
}
ul,
ol,
dl {
  margin: 0;
  padding: 0;
  list-style: none;
}
button,
select,
input {
  font: inherit;
  color: inherit;
  background: var(--bg);
  border: 1px solid var(--line);
  border-radius: 6px;
  padding: 0.25rem 0.6rem;
}
button {
  cursor: pointer;
}
button:hover,
select:hover,
input:hover {
  border-color: var(--muted);
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
.summary li {
  color: var(--muted);
}
.summary li:first-child {
  color: var(--text);
  font-weight: 600;
}
.obstacle {
  padding: 0.5rem 0.8rem;
  margin: 0.35rem 0;
  border-left: 4px solid var(--muted);
  background: var(--panel);
  border-radius: 0 6px 6px 0;
  overflow-wrap: anywhere;
}
.obstacle.stuck {
  border-color: var(--failed);
}
.obstacle strong {
  color: var(--muted);
}
.obstacle.stuck strong {
  color: var(--failed);
}
.obstacle .help {
  display: block;
  color: var(--muted);
}
.obstacle .help::before {
  content: '→ ';
}
.obstacles .obstacle {
  display: flex;
  justify-content: space-between;
  align-items: start;
  gap: 1rem;
}
.obstacles ul {
  max-height: 17rem;
  overflow: auto;
}
.obstacle button {
  flex: none;
  max-width: 16rem;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  padding: 0.1rem 0.5rem;
}
.controls {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  align-items: center;
  margin: 1.25rem 0 0.6rem;
}
.controls input {
  width: 15rem;
}
.zoom {
  display: inline-flex;
}
.zoom button:first-child {
  border-radius: 6px 0 0 6px;
}
.zoom button:last-child {
  border-radius: 0 6px 6px 0;
  border-left: 0;
}
.status {
  color: var(--muted);
  margin-left: auto;
}
.legend {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.1rem;
  margin-bottom: 0.6rem;
  color: var(--muted);
  font-size: 0.85rem;
}
.swatch {
  display: inline-block;
  width: 0.95rem;
  height: 0.7rem;
  border-radius: 2px;
  margin-right: 0.4rem;
  vertical-align: -1px;
  background: var(--phase, none);
}
.home {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;
  align-items: start;
}
.home.with-details {
  grid-template-columns: minmax(0, 1fr) 23rem;
}
.chart {
  overflow: auto;
  max-height: 78vh;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--bg);
  overscroll-behavior: contain;
}
.plot {
  position: relative;
  width: calc(var(--label) + (100% - var(--label)) * var(--zoom, 1));
}
.head {
  position: sticky;
  top: 0;
  z-index: 3;
  background: var(--bg);
  border-bottom: 1px solid var(--line);
}
.curve,
.axis,
.row {
  display: flex;
}
.curve {
  height: 52px;
  border-bottom: 1px solid var(--line);
}
.axis {
  height: 25px;
}
.label {
  flex: none;
  width: var(--label);
  position: sticky;
  left: 0;
  z-index: 2;
  background: var(--bg);
  padding: 0 0.7rem;
  border-right: 1px solid var(--line);
}
.head .label {
  color: var(--muted);
  font-size: 0.8rem;
  display: flex;
  flex-direction: column;
  justify-content: center;
}
.head .count {
  color: var(--text);
  font-variant-numeric: tabular-nums;
}
.track,
.marks {
  position: relative;
  flex: 1;
  min-width: 0;
}
.curve svg {
  position: absolute;
  inset: 4px 0 0;
  width: 100%;
  height: calc(100% - 4px);
  display: block;
}
.area {
  fill: color-mix(in srgb, var(--restart) 24%, transparent);
  stroke: var(--restart);
  stroke-width: 1.5px;
  vector-effect: non-scaling-stroke;
}
.curve + .curve .area {
  fill: color-mix(in srgb, var(--failed) 20%, transparent);
  stroke: var(--failed);
}
.limit {
  stroke: var(--muted);
  stroke-width: 1.25px;
  stroke-dasharray: 5 4;
  vector-effect: non-scaling-stroke;
}
.mark {
  position: absolute;
  top: 4px;
  padding-left: 4px;
  white-space: nowrap;
  font-size: 0.78rem;
  color: var(--muted);
  font-variant-numeric: tabular-nums;
}
.mark b {
  color: var(--text);
}
.gap-mark {
  position: absolute;
  top: 4px;
  text-align: center;
  font-size: 0.72rem;
  color: var(--muted);
  overflow: hidden;
  white-space: nowrap;
  font-style: italic;
}
.background {
  position: absolute;
  z-index: 0;
  top: 0;
  bottom: 0;
  left: var(--label);
  right: 0;
  pointer-events: none;
}
.band,
.line {
  position: absolute;
  top: 0;
  bottom: 0;
}
.line {
  width: 1px;
  background: var(--line);
  opacity: 0.7;
}
.band.window {
  background: var(--window);
}
.band.closed {
  background: var(--closed);
}
.band.soak {
  background: repeating-linear-gradient(135deg, var(--soak) 0 6px, transparent 6px 12px);
}
.band.gap {
  background: repeating-linear-gradient(90deg, var(--line) 0 2px, transparent 2px 6px);
}
.rows {
  position: relative;
  z-index: 1;
  outline: none;
}
.chart:has(.rows:focus-visible) {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
.group-name {
  position: sticky;
  left: 0;
  width: max-content;
  max-width: 100%;
  padding: 0.35rem 0.7rem 0.15rem;
  font-size: 0.8rem;
  font-weight: 600;
  display: flex;
  gap: 0.6rem;
  z-index: 2;
}
.group-name span:first-child {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  max-width: 28rem;
}
.group-name .count {
  color: var(--muted);
  font-weight: 400;
  white-space: nowrap;
}
.row {
  height: 22px;
  cursor: pointer;
  /* Not content-visibility, which is worked out for each row in each frame: 1,000 rows then stutter. */
  contain: strict;
}
.row:hover .label,
.row:hover .track {
  background: color-mix(in srgb, var(--accent) 9%, transparent);
}
.row:hover .label {
  background: color-mix(in srgb, var(--accent) 9%, var(--bg));
}
.row[aria-selected='true'] .label {
  background: color-mix(in srgb, var(--accent) 20%, var(--bg));
  box-shadow: inset 3px 0 var(--accent);
}
.row[aria-selected='true'] .track {
  background: color-mix(in srgb, var(--accent) 14%, transparent);
}
.row .label {
  display: flex;
  align-items: center;
  gap: 0.35rem;
  font-size: 0.83rem;
}
.row .name {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.sign {
  color: var(--failed);
  font-weight: 700;
  flex: none;
}
.row.waiting .sign {
  color: var(--muted);
}
.bar {
  position: absolute;
  top: 5px;
  height: 12px;
  min-width: 2px;
  background: var(--phase);
}
.bar.pending {
  top: 10px;
  height: 2px;
}
.bar.failed {
  top: 9px;
  height: 4px;
}
.end {
  position: absolute;
  top: 4px;
  width: 3px;
  height: 14px;
  margin-left: -1px;
  border-radius: 1px;
  background: var(--done);
}
.pending {
  --phase: var(--pending);
}
.jobs {
  --phase: var(--jobs);
}
.drain {
  --phase: var(--drain);
}
.restart {
  --phase: var(--restart);
}
.validation {
  --phase: var(--validation);
}
.uncordon {
  --phase: var(--uncordon);
}
.maintenance {
  --phase: var(--maintenance);
}
.failed {
  --phase: var(--failed);
}
.swatch.window {
  background: var(--window);
  border: 1px solid var(--done);
}
.swatch.closed {
  background: var(--closed);
  border: 1px solid var(--line);
}
.swatch.soak {
  background: repeating-linear-gradient(135deg, var(--soak) 0 4px, transparent 4px 7px);
  border: 1px solid var(--line);
}
.swatch.limit {
  height: 0;
  border-top: 2px dashed var(--muted);
  border-radius: 0;
  vertical-align: 3px;
}
.cursor {
  position: absolute;
  z-index: 4;
  top: 0;
  bottom: 0;
  width: 1px;
  background: var(--accent);
  pointer-events: none;
}
.cursor::after {
  content: attr(data-time);
  position: sticky;
  display: block;
  top: 2px;
  width: max-content;
  margin-left: 5px;
  padding: 0 0.4rem;
  border-radius: 4px;
  background: var(--accent);
  color: var(--bg);
  font-size: 0.75rem;
  font-variant-numeric: tabular-nums;
}
.details {
  position: sticky;
  top: 1rem;
  max-height: calc(100vh - 2rem);
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: 0.8rem 1rem 1rem;
  background: var(--panel);
  overflow-wrap: anywhere;
}
.details-head {
  display: flex;
  justify-content: space-between;
  align-items: start;
  gap: 0.5rem;
}
.details h2 {
  margin: 0 0 0.6rem;
}
.close {
  border: 0;
  background: none;
  padding: 0 0.3rem;
}
dl {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: 0.15rem 0.8rem;
}
dt {
  color: var(--muted);
}
dd {
  margin: 0;
}
.phases {
  margin-top: 0.8rem;
  display: grid;
  gap: 0.15rem;
}
.history li {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: 0.7rem;
  padding: 0.12rem 0;
}
.history time {
  color: var(--muted);
  font-variant-numeric: tabular-nums;
}
.pods li {
  font-size: 0.85rem;
}
.keys {
  color: var(--muted);
  font-size: 0.85rem;
}
.notes li {
  color: var(--muted);
}
.table {
  margin-top: 1rem;
  overflow-x: auto;
}
summary {
  cursor: pointer;
  font-weight: 600;
}
table {
  border-collapse: collapse;
  margin-top: 0.6rem;
  font-size: 0.85rem;
  font-variant-numeric: tabular-nums;
}
caption {
  text-align: left;
  color: var(--muted);
  padding-bottom: 0.3rem;
}
th,
td {
  text-align: left;
  vertical-align: top;
  padding: 0.2rem 0.9rem 0.2rem 0;
  border-bottom: 1px solid var(--line);
  font-weight: 400;
}
thead th {
  font-weight: 600;
}
td:nth-child(-n + 7) {
  white-space: nowrap;
}
@media (max-width: 60rem) {
  :root {
    --label: 10rem;
  }
  .home.with-details {
    grid-template-columns: minmax(0, 1fr);
  }
  .details {
    position: static;
    max-height: none;
  }
}
@media (prefers-reduced-motion: no-preference) {
  .row .label,
  .row .track {
    transition: background-color 0.1s;
  }
}
@media print {
  .obstacles ul {
    max-height: none;
  }
  :root,
  :root[data-theme] {
    color-scheme: light;
    print-color-adjust: exact;
    -webkit-print-color-adjust: exact;
    font-size: 11px;
  }
  main {
    padding: 0;
  }
  .controls,
  .details,
  .keys,
  .cursor,
  .obstacle button {
    display: none !important;
  }
  .home.with-details {
    grid-template-columns: minmax(0, 1fr);
  }
  .chart {
    overflow: visible;
    max-height: none;
    border: 0;
  }
  .plot {
    width: 100%;
  }
  .head {
    position: static;
  }
  .row,
  .obstacle,
  tr {
    break-inside: avoid;
  }
}
`;
