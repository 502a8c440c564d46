"""Builds the wheel and the source archive (PEP 517). Building needs Python 3.11 for `tomllib`."""

import base64
import hashlib
import io
import tarfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
# The oldest time that a zip file can hold: the same sources give the same bytes.
TIME = (1980, 1, 1, 0, 0, 0)
WHEEL = "Wheel-Version: 1.0\nGenerator: zhiber\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = read_project()
    stem = f"{project['name']}-{project['version']}"
    files = {
        path.relative_to(HERE / "src").as_posix(): path.read_bytes() for path in list_sources()
    }
    files[f"{stem}.dist-info/METADATA"] = describe(project).encode()
    files[f"{stem}.dist-info/WHEEL"] = WHEEL.encode()
    files[f"{stem}.dist-info/licenses/LICENSE"] = (HERE / "LICENSE").read_bytes()
    record = f"{stem}.dist-info/RECORD"
    lines = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[record] = ("\n".join([*lines, f"{record},,"]) + "\n").encode()
    target = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return target


def build_sdist(sdist_directory, config_settings=None):
    project = read_project()
    stem = f"{project['name']}-{project['version']}"
    names = ["pyproject.toml", "build_backend.py", "README.md", "LICENSE"]
    paths = [*(HERE / name for name in names), *list_sources()]
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in paths}
    files["PKG-INFO"] = describe(project).encode()
    target = f"{stem}.tar.gz"
    with tarfile.open(Path(sdist_directory) / target, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    return target


def read_project():
    return tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]


def list_sources():
    return sorted(
        path for path in (HERE / "src/zhiber").iterdir() if path.suffix == ".py" or path.name == "py.typed"
    )


def describe(project):
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {name}" for name in project["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (HERE / "README.md").read_text("utf-8")


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
