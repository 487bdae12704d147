/** Runs in the page: what a client does with the server, as a list of `[step, what came]`. The last one is the end. */

/** `open(url)` connects, and gives `{ revision, list, call, close, onChange? }`. */
export async function walk(open, url) {
  const steps = [];
  const step = async (name, run) => steps.push([name, await run()]);
  let client;
  try {
    await step('connect', async () => {
      client = await open(url);
      return client.revision();
    });
    await step('list', () => client.list());
    await step('call', () => client.call('echo', { text: 'héllo' }));
    await step('progress', async () => {
      const heard = [];
      const said = await client.call('count', {}, (progress) => heard.push(progress));
      return [...heard, said];
    });
    if (client.onChange !== undefined) await step('change', () => heardOfChange(client));
    if (client.mirrors) await step('header', () => client.call('regional', { region: 'eu' }));
    await step('close', async () => {
      await client.close();
      return 'closed';
    });
  } catch (error) {
    steps.push(['failed', `${error?.name}: ${error?.message} ${error?.cause ?? ''}`]);
  }
  return steps;
}

/** Changes the list until the client hears of it: when its stream is open is not for the page to know. */
async function heardOfChange(client) {
  const heard = [];
  client.onChange(() => heard.push('changed'));
  const end = Date.now() + 5_000;
  while (heard.length === 0 && Date.now() < end) {
    await client.call('change', {});
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return heard.length > 0;
}

/** The text of a result's content. */
export const textOf = ({ content }) => content.map((block) => block.text).join('');
