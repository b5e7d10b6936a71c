"""`sweepcheck completion`: the script that teaches a shell to complete sweepcheck's options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from sweepcheck.cli.session import session_of


@click.command("completion", short_help="Print a completion script for a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> int:
    """Print the script that makes SHELL complete commands, options and files of sweepcheck.

    \b
    Put it where your shell reads it:
      bash  sweepcheck completion bash >> ~/.bashrc
      zsh   sweepcheck completion zsh >> ~/.zshrc
      fish  sweepcheck completion fish > ~/.config/fish/completions/sweepcheck.fish
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise LookupError(f"click has no completion for {shell}")
    completion = kind(context.find_root().command, {}, "sweepcheck", "_SWEEPCHECK_COMPLETE")
    # Not `completion.source()`: for bash that starts a bash to ask for its version.
    session_of(context).result(completion.source_template % completion.source_vars())
    return 0
