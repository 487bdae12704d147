// Finds import cycles between files.

/** Type-only imports inside one room carry no order; between rooms they do. */
function edges(files, file) {
  const targets = file.imports.filter(({ target, typeOnly }) => {
    const other = files.get(target);
    return other && !(typeOnly && other.room === file.room && other.path.split('/')[1] === file.path.split('/')[1]);
  });
  return targets.map(({ target, line }) => ({ target, line }));
}

/** The shortest way from `start` back to itself, as a list of `{ path, line }`; undefined when there is none. */
function wayBack(files, start) {
  const from = new Map();
  const queue = [start];
  for (const path of queue) {
    for (const { target, line } of edges(files, files.get(path))) {
      if (target === start) {
        const way = [{ path, line }];
        for (let at = path; at !== start; at = from.get(at).path) way.unshift(from.get(at));
        return way;
      }
      if (!from.has(target)) {
        from.set(target, { path, line });
        queue.push(target);
      }
    }
  }
  return undefined;
}

/** One problem for each cycle, at the first file of the cycle in the order of paths. */
export function cycleProblems(files) {
  const problems = [];
  const reported = new Set();
  for (const path of files.keys()) {
    if (reported.has(path)) continue;
    const way = wayBack(files, path);
    if (!way) continue;
    for (const step of way) reported.add(step.path);
    const names = [...way.map((step) => step.path), path].map((name) =>
      name.replace(/^packages\/(hawser|cli)\/src\//, ''),
    );
    problems.push({
      path,
      line: way[0].line,
      text: `is part of an import cycle: ${names.join(' → ')}; imports may only go down`,
    });
  }
  return problems;
}
