// Reads expected-failures.json: `{ failures: Entry[], skips: Entry[] }`, an Entry being
// `{ leg, revisions?, reason, scenarios }`. A scenario is `name` (all of it) or `name:check` (a check's id or name).

/**
 * Picks what is expected of one scenario: `{ failures, skips }`, each a map from check to reason; the key '' stands for
 * the whole scenario.
 */
export function expectationsFor(file, leg, revision, scenario) {
  const pick = (entries) => {
    const picked = new Map();
    for (const entry of entries) {
      if (entry.leg !== leg || !(entry.revisions ?? [revision]).includes(revision)) continue;
      for (const item of entry.scenarios) {
        const { name, check } = split(item);
        if (name === scenario) picked.set(check, entry.reason);
      }
    }
    return picked;
  };
  return { failures: pick(file.failures), skips: pick(file.skips) };
}

/**
 * Lists what is wrong with the file itself. `scenariosOf(leg, revision)` returns the names of one requirement set;
 * `revisions` are those that exist.
 */
export function staleExpectations(file, revisions, scenariosOf) {
  const stale = [];
  for (const list of ['failures', 'skips']) {
    const seen = new Set();
    for (const entry of file[list]) {
      if (!entry.reason) stale.push(`${list}: an entry has no reason: ${JSON.stringify(entry)}`);
      for (const item of entry.scenarios) {
        const runsIn = (entry.revisions ?? revisions).filter((revision) =>
          scenariosOf(entry.leg, revision).includes(split(item).name),
        );
        // Without `revisions` an entry is meant for every set that has the scenario; with them, for each one named.
        const missing = entry.revisions === undefined ? runsIn.length === 0 : runsIn.length < entry.revisions.length;
        if (missing)
          stale.push(`${list}: no such ${entry.leg} scenario in ${(entry.revisions ?? revisions).join(', ')}: ${item}`);
        for (const revision of runsIn) {
          const key = `${entry.leg} ${revision} ${item}`;
          if (seen.has(key)) stale.push(`${list}: listed twice: ${key}`);
          seen.add(key);
        }
      }
    }
  }
  return stale;
}

function split(item) {
  const at = item.indexOf(':');
  return at === -1 ? { name: item, check: '' } : { name: item.slice(0, at), check: item.slice(at + 1) };
}
